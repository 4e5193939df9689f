// SPDX-License-Identifier: MIT
//
// Places: every s_waitcnt of every part. It becomes s_nop 0, which has the same size. A redundant one does not matter
// (stage_program.h): compilers leave some where fences meet other waits.
#include "tests/mutations/edit_part.h"
#include "tests/mutations/stage_program.h"
#include <cstring>

namespace dovetail::mutations {

std::vector<Mutant> dropWaits(const Subject &subject) {
  constexpr uint32_t Nop = 0xbf800000, NoInstruction = 0xbf9f0000;
  std::vector<Mutant> mutants;
  const std::string_view gpu = subject.target.gpuName;
  for (size_t stage = 0; stage < subject.stages.size(); ++stage) {
    StageProgram program = programOf(subject, stage);
    for (size_t index = 0; index < subject.stages[stage].parts.size(); ++index) {
      const Part &part = *subject.stages[stage].parts[index];
      size_t number = program.firstOfPart[index];
      for (const isa::Instruction &instruction : instructionsOf(part, gpu)) {
        size_t place = number++;
        if (!instruction.is(isa::Waitcnt))
          continue;
        EditedPart edited = editPart(subject.stages, stage, index);
        std::memcpy(&edited.part->code[instruction.offset], &Nop, sizeof(Nop));
        EditedPart unreached = editPart(subject.stages, stage, index);
        std::memcpy(&unreached.part->code[instruction.offset], &NoInstruction, sizeof(NoInstruction));
        mutants.push_back({MutationKind::Wait,
                           fmt::format("{} {:#x}: {}", partName(subject.stages, stage, index), instruction.offset,
                                       textOf(part, instruction.offset, gpu)),
                           std::move(edited.stages),
                           {},
                           whyRedundant(program, place),
                           {{"no scene gets there", std::move(unreached.stages)}}});
      }
    }
  }
  return mutants;
}

} // namespace dovetail::mutations
