// SPDX-License-Identifier: MIT
//
// Contracts, against the code itself: names follow registers from the hardware's entry through each part. A name is
// lost when any instruction of a part writes its register, whatever the part's contract says, and gained when the
// contract lists it as an output.
#include "merge/check/checks.h"
#include <map>

namespace dovetail::check {

namespace {

using NamedRegisters = std::map<Register, ValueName>;

bool isInside(const ImagePart &part, const mc::Instruction &instruction) {
  return instruction.offset >= part.offset && instruction.offset < part.offset + part.size;
}

// Registers that the reachable code of a part writes, with the first instruction that does.
std::map<Register, uint32_t> writtenRegisters(const StageText &text, const ImagePart &part) {
  std::map<Register, uint32_t> written;
  for (uint32_t index = 0; index < text.instructions.size(); ++index) {
    const mc::Instruction &instruction = text.instructions[index];
    if (!text.reachable[index] || !isInside(part, instruction))
      continue;
    for (const mc::RegisterRange &range : instruction.writes) {
      if (range.file != mc::RegisterFile::Sgpr && range.file != mc::RegisterFile::Vgpr)
        continue;
      RegisterBank bank = range.file == mc::RegisterFile::Sgpr ? RegisterBank::Sgpr : RegisterBank::Vgpr;
      for (unsigned i = 0; i < range.count; ++i)
        written.try_emplace({bank, static_cast<uint16_t>(range.first + i)}, instruction.offset);
    }
  }
  return written;
}

} // namespace

void checkContractValues(const StageText &text, const EntryState &entry, Defects &defects) {
  NamedRegisters named;
  for (const Binding &binding : entry.values)
    named[binding.reg] = binding.value;

  for (const ImagePart &part : text.parts()) {
    const Contract &contract = part.part->contract;
    for (const Binding &input : contract.inputs) {
      // Nothing reads these: a place is kept for them, or the hardware loads them only if scratch is on.
      bool isOptional = input.value.kind == ValueKind::UserDataPadding || input.value.kind == ValueKind::ScratchOffset;
      auto found = named.find(input.reg);
      if (isOptional ? found != named.end() && found->second != input.value : found == named.end())
        defects.add(text, part.offset, "expects {} in {}, which holds {}", toString(input.value), toString(input.reg),
                    found == named.end() ? "nothing known" : toString(found->second));
      else if (found != named.end() && found->second != input.value)
        defects.add(text, part.offset, "expects {} in {}, which holds {}", toString(input.value), toString(input.reg),
                    toString(found->second));
    }

    for (const auto &[reg, offset] : writtenRegisters(text, part)) {
      named.erase(reg);
      unsigned preserved = reg.bank == RegisterBank::Sgpr ? contract.preservedSgprs : contract.preservedVgprs;
      if (reg.index < preserved)
        defects.add(text, offset, "writes {}, which the part's contract preserves", toString(reg));
    }
    for (const Binding &output : contract.outputs)
      named[output.reg] = output.value;
  }
}

} // namespace dovetail::check
