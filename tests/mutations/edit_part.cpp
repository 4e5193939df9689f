// SPDX-License-Identifier: MIT
#include "tests/mutations/edit_part.h"
#include "src/mc/hazard_summary.h"
#include "tests/merge/assemble_text.h"

namespace dovetail::mutations {

EditedPart editPart(const Stages &stages, size_t stage, size_t part) {
  EditedPart edited{stages, nullptr};
  auto copy = std::make_shared<Part>(*stages[stage].parts[part]);
  edited.part = copy.get();
  edited.stages[stage].parts[part] = std::move(copy);
  return edited;
}

void summarizeAgain(Part &part, const std::string &gpuName) {
  // Code that does not decode keeps its old summary, as it would if only the bytes had been damaged.
  if (Result<isa::HazardSummary> summary = mc::summarizeHazards(part.code, gpuName))
    part.hazards = std::move(*summary);
  part.instructionCount = uint32_t(instructionsOf(part, gpuName).size());
}

void prepend(Part &part, std::string_view assembly, const std::string &gpuName) {
  Result<std::vector<uint8_t>> code = test::assembleText(assembly, gpuName);
  if (!code)
    return;
  uint32_t size = uint32_t(code->size());
  part.code.insert(part.code.begin(), code->begin(), code->end());
  for (Relocation &relocation : part.relocations) {
    relocation.offset += size;
    if (relocation.target == RelocationTarget::Code)
      relocation.addend += size;
  }
  summarizeAgain(part, gpuName);
}

void append(Part &part, std::string_view assembly, const std::string &gpuName) {
  Result<std::vector<uint8_t>> code = test::assembleText(assembly, gpuName);
  if (!code)
    return;
  part.code.insert(part.code.end(), code->begin(), code->end());
  summarizeAgain(part, gpuName);
}

std::string partName(const Stages &stages, size_t stage, size_t part) {
  return fmt::format("{}.{}", toString(stages[stage].stage), toSymbol(stages[stage].parts[part]->key.kind));
}

std::vector<mc::Instruction> instructionsOf(const Part &part, const std::string &gpuName) {
  Result<mc::Disassembler *> disassembler = mc::Disassembler::forGpu(gpuName);
  if (!disassembler)
    return {};
  Result<std::vector<mc::Instruction>> decoded = (*disassembler)->decodeAll(part.code);
  return decoded ? std::move(*decoded) : std::vector<mc::Instruction>();
}

std::string textOf(const Part &part, uint32_t offset, const std::string &gpuName) {
  Result<mc::Disassembler *> disassembler = mc::Disassembler::forGpu(gpuName);
  Result<std::string> text = disassembler ? (*disassembler)->print(part.code, offset) : std::string("?");
  std::string result = text ? *text : "?";
  result.erase(0, result.find_first_not_of(" \t"));
  return result;
}

} // namespace dovetail::mutations
