// SPDX-License-Identifier: MIT
#include "tests/mutations/edit_part.h"
#include "gfx9-merged/glue.h"
#include "src/isa/hazard_summary.h"
#include "tests/merge/assemble_text.h"
#include <algorithm>
#include <cstring>

namespace dovetail::mutations {

EditedPart editPart(const Stages &stages, size_t stage, size_t part) {
  EditedPart edited{stages, nullptr};
  auto copy = std::make_shared<Part>(*stages[stage].parts[part]);
  edited.part = copy.get();
  edited.stages[stage].parts[part] = std::move(copy);
  return edited;
}

void summarizeAgain(Part &part, std::string_view gpuName) {
  // Code that does not decode keeps its old summary, as it would if only the bytes had been damaged.
  const std::vector<isa::Instruction> instructions = instructionsOf(part, gpuName);
  part.instructionCount = uint32_t(instructions.size());
  if (instructions.empty() && !part.code.empty())
    return;
  if (Result<isa::HazardSummary> summary = isa::summarizeHazards(instructions, *findTarget(gpuName)))
    part.hazards = std::move(*summary);
}

void prepend(Part &part, std::string_view assembly, std::string_view gpuName) {
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
  for (LayoutRelocation &relocation : part.layoutRelocations)
    relocation.offset += size;
  summarizeAgain(part, gpuName);
}

void append(Part &part, std::string_view assembly, std::string_view gpuName) {
  Result<std::vector<uint8_t>> code = test::assembleText(assembly, gpuName);
  if (!code)
    return;
  part.code.insert(part.code.end(), code->begin(), code->end());
  summarizeAgain(part, gpuName);
}

void insert(Part &part, uint32_t offset, std::string_view assembly, std::string_view gpuName) {
  Result<std::vector<uint8_t>> code = test::assembleText(assembly, gpuName);
  if (!code)
    return;
  uint32_t size = uint32_t(code->size());
  for (const isa::Instruction &branch : instructionsOf(part, gpuName)) {
    if (!branch.is(isa::Branch) || branch.endsFarBranch() || branch.branchTarget > part.code.size())
      continue;
    bool leadsOverIt = branch.offset < offset && branch.branchTarget > offset;
    bool leadsBack = branch.offset >= offset && branch.branchTarget <= offset;
    int distance = int16_t(branch.immediate) + (leadsOverIt ? int(size / 4) : leadsBack ? -int(size / 4) : 0);
    uint32_t word = (dwordAt(part, branch.offset) & 0xffff0000) | uint16_t(distance);
    std::memcpy(&part.code[branch.offset], &word, sizeof(word));
  }
  part.code.insert(part.code.begin() + offset, code->begin(), code->end());
  for (Relocation &relocation : part.relocations)
    if (relocation.offset >= offset)
      relocation.offset += size;
  for (LayoutRelocation &relocation : part.layoutRelocations)
    if (relocation.offset >= offset)
      relocation.offset += size;
  summarizeAgain(part, gpuName);
}

void dropInstruction(Part &part, const isa::Instruction &instruction, std::string_view gpuName) {
  constexpr uint32_t Nop = 0xbf800000;
  for (uint32_t offset = instruction.offset; offset < instruction.offset + instruction.size; offset += sizeof(Nop))
    std::memcpy(&part.code[offset], &Nop, sizeof(Nop));
  auto isInIt = [&](const auto &relocation) {
    return relocation.offset >= instruction.offset && relocation.offset < instruction.offset + instruction.size;
  };
  std::erase_if(part.relocations, isInIt);
  std::erase_if(part.layoutRelocations, isInIt);
  summarizeAgain(part, gpuName);
}

void replaceDword(Part &part, uint32_t offset, uint32_t dword, std::string_view gpuName) {
  std::memcpy(&part.code[offset], &dword, sizeof(dword));
  summarizeAgain(part, gpuName);
}

uint32_t dwordAt(const Part &part, uint32_t offset) {
  uint32_t dword = 0;
  std::memcpy(&dword, &part.code[offset], sizeof(dword));
  return dword;
}

size_t secondGlue(const StageParts &stage) {
  for (size_t i = 1; i < stage.parts.size(); ++i)
    if (stage.parts[i]->key.kind == PartKind::Glue)
      return i;
  return 0;
}

bool skipsFirstHalf(const Part &part, const isa::Instruction &instruction) {
  return std::ranges::any_of(part.relocations, [&](const Relocation &relocation) {
    return relocation.target == RelocationTarget::SecondHalf && relocation.offset == instruction.offset;
  });
}

Result<Stages> renewGlue(const Stages &stages, size_t stage, const TargetInfo &target) {
  const StageParts &old = stages[stage];
  std::span<const PartRef> parts(old.parts.data(), old.parts.size());
  size_t second = secondGlue(old);
  PartCache cache;
  Stages renewed = stages;
  renewed[stage] =
      DOVETAIL_TRY(mergeHalves(old.stage, parts.subspan(1, second - 1), parts.subspan(second + 1), target, cache));
  return renewed;
}

std::string partName(const Stages &stages, size_t stage, size_t part) {
  if (part != 0 && part == secondGlue(stages[stage]))
    return fmt::format("{}.glue2", toString(stages[stage].stage));
  return fmt::format("{}.{}", toString(stages[stage].stage), toSymbol(stages[stage].parts[part]->key.kind));
}

std::vector<isa::Instruction> instructionsOf(const Part &part, std::string_view gpuName) {
  Result<mc::Disassembler::Lease> disassembler = mc::Disassembler::forGpu(gpuName);
  if (!disassembler)
    return {};
  Result<std::vector<isa::Instruction>> decoded = (*disassembler)->decodeAll(part.code);
  return decoded ? std::move(*decoded) : std::vector<isa::Instruction>();
}

std::string textOf(const Part &part, uint32_t offset, std::string_view gpuName) {
  Result<mc::Disassembler::Lease> disassembler = mc::Disassembler::forGpu(gpuName);
  Result<std::string> text = disassembler ? (*disassembler)->print(part.code, offset) : std::string("?");
  std::string result = text ? *text : "?";
  result.erase(0, result.find_first_not_of(" \t"));
  return result;
}

} // namespace dovetail::mutations
