// SPDX-License-Identifier: MIT
//
// Places: the last instruction of every part. It does not matter if that is a redundant s_waitcnt (stage_program.h), if
// it only writes registers that nobody reads, or if it is a branch that only saves time.
#include "tests/mutations/edit_part.h"
#include "tests/mutations/stage_program.h"

namespace dovetail::mutations {

namespace {

// Only plain arithmetic can turn out useless, because this does not follow SCC and EXEC.
std::string whyUseless(const StageProgram &program, size_t index) {
  const isa::Instruction &instruction = program.instructions[index];
  if (instruction.is(isa::Waitcnt))
    return whyRedundant(program, index);
  if (!instruction.is(isa::Valu))
    return {};
  for (const isa::RegisterRange &range : instruction.writes) {
    if (range.file != isa::RegisterFile::Vgpr)
      return {};
    for (uint16_t i = 0; i < range.count; ++i) {
      if (isLive(program, index + 1, {RegisterBank::Vgpr, uint16_t(range.first + i)}))
        return {};
    }
  }
  return "nobody reads its result";
}

} // namespace

std::vector<Mutant> shortenParts(const Subject &subject) {
  std::vector<Mutant> mutants;
  const std::string_view gpu = subject.target.gpuName;
  for (size_t stage = 0; stage < subject.stages.size(); ++stage) {
    StageProgram program = programOf(subject, stage);
    for (size_t index = 0; index < subject.stages[stage].parts.size(); ++index) {
      const Part &part = *subject.stages[stage].parts[index];
      std::vector<isa::Instruction> instructions = instructionsOf(part, gpu);
      if (instructions.empty())
        continue;
      uint32_t last = instructions.back().offset;
      size_t place = program.firstOfPart[index] + instructions.size() - 1;
      bool skips = skipsFirstHalf(part, instructions.back());
      EditedPart edited = editPart(subject.stages, stage, index);
      edited.part->code.resize(last);
      std::erase_if(edited.part->relocations, [&](const Relocation &relocation) { return relocation.offset >= last; });
      summarizeAgain(*edited.part, gpu);
      mutants.push_back(
          {MutationKind::ShorterPart,
           fmt::format("{} {:#x}: {}", partName(subject.stages, stage, index), last, textOf(part, last, gpu)),
           std::move(edited.stages),
           {},
           skips ? whyIdleWithoutLanes(subject, stage, false) : whyUseless(program, place)});
    }
  }
  return mutants;
}

} // namespace dovetail::mutations
