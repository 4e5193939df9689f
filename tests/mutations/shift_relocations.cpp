// SPDX-License-Identifier: MIT
//
// Places: every relocation that is a whole pointer to constants or code, or the low half of one, and every place that
// the layout gives. Each is moved 4 bytes up and 4 bytes down. (The high half of the same pointer does not change when
// 4 bytes are added, unless the low half overflows.)
#include "tests/mutations/edit_part.h"

namespace dovetail::mutations {

std::vector<Mutant> shiftRelocations(const Subject &subject) {
  std::vector<Mutant> mutants;
  for (size_t stage = 0; stage < subject.stages.size(); ++stage) {
    for (size_t index = 0; index < subject.stages[stage].parts.size(); ++index) {
      const Part &part = *subject.stages[stage].parts[index];
      for (size_t i = 0; i < part.relocations.size(); ++i) {
        const Relocation &relocation = part.relocations[i];
        if (relocation.target == RelocationTarget::Link || relocation.target == RelocationTarget::SecondHalf)
          continue;
        if (relocation.kind == RelocationKind::Abs32Hi || relocation.kind == RelocationKind::Rel32Hi)
          continue;
        for (int distance : {4, -4}) {
          EditedPart edited = editPart(subject.stages, stage, index);
          edited.part->relocations[i].addend += distance;
          mutants.push_back(
              {MutationKind::Relocation,
               fmt::format("{} {:#x}: {:+}", partName(subject.stages, stage, index), relocation.offset, distance),
               std::move(edited.stages)});
        }
      }
      for (size_t i = 0; i < part.layoutRelocations.size(); ++i) {
        EditedPart edited = editPart(subject.stages, stage, index);
        edited.part->layoutRelocations[i].constant.addend += 4;
        mutants.push_back({MutationKind::Relocation,
                           fmt::format("{} {:#x}: layout +4", partName(subject.stages, stage, index),
                                       part.layoutRelocations[i].offset),
                           std::move(edited.stages)});
      }
    }
  }
  return mutants;
}

} // namespace dovetail::mutations
