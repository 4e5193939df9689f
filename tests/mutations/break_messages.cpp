// SPDX-License-Identifier: MIT
//
// Places: every s_barrier, and every s_sendmsg of a geometry wave. A message is dropped, sent twice, or becomes
// another: an emit is also a cut, a cut is an emit.
#include "tests/mutations/edit_part.h"
#include "tests/mutations/stage_program.h"
#include <map>

namespace dovetail::mutations {

namespace {

constexpr unsigned MessageGs = 2, MessageGsDone = 3; // SIMM16[3:0] of s_sendmsg
constexpr uint32_t CutBit = 1 << 4, EmitBit = 1 << 5;

template <typename F> void forEachInstruction(const Subject &subject, const F &visit) {
  for (size_t stage = 0; stage < subject.stages.size(); ++stage)
    for (size_t index = 0; index < subject.stages[stage].parts.size(); ++index)
      for (const isa::Instruction &instruction :
           instructionsOf(*subject.stages[stage].parts[index], subject.target.gpuName))
        visit(stage, index, instruction);
}

std::string nameOf(const Subject &subject, size_t stage, size_t index, const isa::Instruction &instruction) {
  return fmt::format("{} {:#x}: {}", partName(subject.stages, stage, index), instruction.offset,
                     textOf(*subject.stages[stage].parts[index], instruction.offset, subject.target.gpuName));
}

} // namespace

std::vector<Mutant> dropBarriers(const Subject &subject) {
  std::vector<Mutant> mutants;
  forEachInstruction(subject, [&](size_t stage, size_t index, const isa::Instruction &instruction) {
    if (instruction.mnemonic != "s_barrier")
      return;
    EditedPart edited = editPart(subject.stages, stage, index);
    dropInstruction(*edited.part, instruction, subject.target.gpuName);
    mutants.push_back({MutationKind::Barrier, nameOf(subject, stage, index, instruction), std::move(edited.stages)});
  });
  return mutants;
}

std::vector<Mutant> breakMessages(const Subject &subject) {
  std::vector<Mutant> mutants;
  const std::string_view gpu = subject.target.gpuName;
  std::map<size_t, StageProgram> programs;
  forEachInstruction(subject, [&](size_t stage, size_t index, const isa::Instruction &instruction) {
    const unsigned message = instruction.immediate & 15;
    if (instruction.mnemonic != "s_sendmsg" || (message != MessageGs && message != MessageGsDone))
      return;
    if (!programs.contains(stage))
      programs[stage] = programOf(subject, stage);
    const StageProgram &program = programs[stage];
    size_t place = program.firstOfPart[index];
    while (program.instructions[place].offset != instruction.offset)
      ++place;
    const std::string cutIsNothing = whyCutIsNothing(subject, stage, program, place);
    const bool emits = (instruction.immediate & EmitBit) != 0;
    auto add = [&](std::string_view how, EditedPart edited, std::string equivalent = {}) {
      mutants.push_back({MutationKind::GsMessage,
                         fmt::format("{}: {}", nameOf(subject, stage, index, instruction), how),
                         std::move(edited.stages),
                         {},
                         std::move(equivalent)});
    };
    EditedPart dropped = editPart(subject.stages, stage, index);
    dropInstruction(*dropped.part, instruction, gpu);
    const bool isCut = message == MessageGs && !emits;
    add("dropped", std::move(dropped), isCut ? cutIsNothing : "");

    EditedPart twice = editPart(subject.stages, stage, index);
    insert(*twice.part, instruction.offset, fmt::format("s_sendmsg {:#x}", instruction.immediate), gpu);
    add("sent twice", std::move(twice), isCut ? "a strip without vertices" : "");

    if (message == MessageGs) {
      EditedPart other = editPart(subject.stages, stage, index);
      const uint32_t word = dwordAt(*other.part, instruction.offset);
      replaceDword(*other.part, instruction.offset, emits ? word ^ CutBit : word ^ (CutBit | EmitBit), gpu);
      add(emits ? "with the other cut bit" : "an emit", std::move(other), emits ? cutIsNothing : "");
    }
  });
  return mutants;
}

} // namespace dovetail::mutations
