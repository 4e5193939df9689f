// SPDX-License-Identifier: MIT
//
// Places: the last instruction of every part.
#include "tests/mutations/edit_part.h"

namespace dovetail::mutations {

std::vector<Mutant> shortenParts(const Subject &subject) {
  std::vector<Mutant> mutants;
  const std::string &gpu = subject.target.gpuName;
  for (size_t stage = 0; stage < subject.stages.size(); ++stage) {
    for (size_t index = 0; index < subject.stages[stage].parts.size(); ++index) {
      const Part &part = *subject.stages[stage].parts[index];
      std::vector<mc::Instruction> instructions = instructionsOf(part, gpu);
      if (instructions.empty())
        continue;
      uint32_t last = instructions.back().offset;
      EditedPart edited = editPart(subject.stages, stage, index);
      edited.part->code.resize(last);
      std::erase_if(edited.part->relocations, [&](const Relocation &relocation) { return relocation.offset >= last; });
      summarizeAgain(*edited.part, gpu);
      mutants.push_back(
          {MutationKind::ShorterPart,
           fmt::format("{} {:#x}: {}", partName(subject.stages, stage, index), last, textOf(part, last, gpu)),
           std::move(edited.stages),
           {},
           {}});
    }
  }
  return mutants;
}

} // namespace dovetail::mutations
