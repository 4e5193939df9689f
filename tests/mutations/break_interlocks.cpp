// SPDX-License-Identifier: MIT
//
// Places: every MSG_ORDERED_PS_DONE, which is dropped or sent twice; every s_setreg of a wave's packer, and every
// branch back to an s_sleep, which are dropped. Without that branch, a wave waits at most once.
#include "tests/mutations/edit_part.h"

namespace dovetail::mutations {

namespace {

constexpr unsigned OrderedPsDone = 7;                   // SIMM16[3:0] of s_sendmsg
constexpr unsigned PackerField = 1 | 24 << 6 | 1 << 11; // SIMM16 of s_setreg: MODE[25:24]

} // namespace

std::vector<Mutant> breakInterlocks(const Subject &subject) {
  std::vector<Mutant> mutants;
  const std::string_view gpu = subject.target.gpuName;
  for (size_t stage = 0; stage < subject.stages.size(); ++stage)
    for (size_t index = 0; index < subject.stages[stage].parts.size(); ++index) {
      const Part &part = *subject.stages[stage].parts[index];
      uint32_t sleep = UINT32_MAX; // offset of the last s_sleep
      for (const isa::Instruction &instruction : instructionsOf(part, gpu)) {
        if (instruction.mnemonic == "s_sleep")
          sleep = instruction.offset;
        const bool isDone = instruction.mnemonic == "s_sendmsg" && (instruction.immediate & 15) == OrderedPsDone;
        const bool setsPacker = instruction.mnemonic == "s_setreg_b32" && instruction.immediate == PackerField;
        const bool waits = instruction.is(isa::Branch) && sleep != UINT32_MAX && instruction.offset > sleep &&
                           instruction.branchTarget <= sleep;
        if (!isDone && !setsPacker && !waits)
          continue;
        auto add = [&](EditedPart edited, std::string_view how) {
          mutants.push_back({MutationKind::Interlock,
                             fmt::format("{} {:#x}: {}: {}", partName(subject.stages, stage, index), instruction.offset,
                                         textOf(part, instruction.offset, gpu), how),
                             std::move(edited.stages)});
        };
        EditedPart dropped = editPart(subject.stages, stage, index);
        dropInstruction(*dropped.part, instruction, gpu);
        add(std::move(dropped), "dropped");
        if (!isDone)
          continue;
        EditedPart twice = editPart(subject.stages, stage, index);
        insert(*twice.part, instruction.offset, fmt::format("s_sendmsg {:#x}", instruction.immediate), gpu);
        add(std::move(twice), "sent twice");
      }
    }
  return mutants;
}

} // namespace dovetail::mutations
