// SPDX-License-Identifier: MIT
//
// Places: every link constant in the code, as if that part had been linked with another pipeline: strides and bases one
// slot (16 bytes) up and down, counts one up and down. And every load of a copy shader, 4 bytes up and down.
#include "tests/mutations/edit_part.h"
#include <cstring>

namespace dovetail::mutations {

namespace {

bool isCount(LinkConstant constant) {
  return constant == LinkConstant::PatchControlPoints || constant == LinkConstant::PatchesPerGroup ||
         constant == LinkConstant::TcsOutputVertices;
}

constexpr uint32_t OffsetField = 0xfff; // of a MUBUF instruction, in its first dword

} // namespace

std::vector<Mutant> changeConstants(const Subject &subject) {
  std::vector<Mutant> mutants;
  for (size_t stage = 0; stage < subject.stages.size(); ++stage) {
    for (size_t index = 0; index < subject.stages[stage].parts.size(); ++index) {
      const Part &part = *subject.stages[stage].parts[index];
      for (size_t i = 0; i < part.relocations.size(); ++i) {
        const Relocation &relocation = part.relocations[i];
        if (relocation.target != RelocationTarget::Link)
          continue;
        const auto constant = LinkConstant(relocation.addend);
        Result<uint32_t> value = linkConstantValue(*subject.image, constant);
        if (!value)
          continue;
        for (int step : {1, -1}) {
          const int distance = isCount(constant) ? step : 16 * step;
          EditedPart edited = editPart(subject.stages, stage, index);
          const uint32_t changed = *value + uint32_t(distance);
          std::memcpy(&edited.part->code[relocation.offset], &changed, sizeof(changed));
          edited.part->relocations.erase(edited.part->relocations.begin() + ptrdiff_t(i));
          mutants.push_back({MutationKind::LinkConstant,
                             fmt::format("{} {:#x}: {} {} {:+}", partName(subject.stages, stage, index),
                                         relocation.offset, symbolOf(constant), *value, distance),
                             std::move(edited.stages)});
        }
      }
    }
  }
  return mutants;
}

std::vector<Mutant> shiftCopyLoads(const Subject &subject) {
  std::vector<Mutant> mutants;
  const std::string_view gpu = subject.target.gpuName;
  for (size_t stage = 0; stage < subject.stages.size(); ++stage) {
    for (size_t index = 0; index < subject.stages[stage].parts.size(); ++index) {
      const Part &part = *subject.stages[stage].parts[index];
      if (part.key.kind != PartKind::GeometryCopy)
        continue;
      for (const isa::Instruction &load : instructionsOf(part, gpu)) {
        if (load.encoding != isa::Encoding::Mubuf || !load.is(isa::Load))
          continue;
        for (int distance : {4, -4}) {
          const uint32_t word = dwordAt(part, load.offset);
          const int offset = int(word & OffsetField) + distance;
          if (offset < 0 || offset > int(OffsetField))
            continue;
          EditedPart edited = editPart(subject.stages, stage, index);
          replaceDword(*edited.part, load.offset, (word & ~OffsetField) | uint32_t(offset), gpu);
          mutants.push_back({MutationKind::CopyLoad,
                             fmt::format("{} {:#x}: {}: {:+}", partName(subject.stages, stage, index), load.offset,
                                         textOf(part, load.offset, gpu), distance),
                             std::move(edited.stages)});
        }
      }
    }
  }
  return mutants;
}

} // namespace dovetail::mutations
