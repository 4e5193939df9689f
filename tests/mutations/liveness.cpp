// SPDX-License-Identifier: MIT
//
// Which registers a stage reads from some part on: the parts' instructions as one program, with a backward dataflow
// over its branches. A write kills the register whatever EXEC is, as it does for a compiler.
#include "tests/mutations/edit_part.h"
#include <bitset>
#include <map>

namespace dovetail::mutations {

namespace {

constexpr unsigned FirstVgpr = 128;
using Registers = std::bitset<FirstVgpr + 256>;

Registers bitsOf(const mc::RegisterRange &range) {
  Registers bits;
  unsigned first = range.file == mc::RegisterFile::Vgpr ? FirstVgpr + range.first : range.first;
  if (range.file != mc::RegisterFile::Vgpr && range.file != mc::RegisterFile::Sgpr)
    return bits;
  for (unsigned i = first; i < first + range.count && i < bits.size(); ++i)
    bits.set(i);
  return bits;
}

// What is read before it is written in a part, given what is behind it.
Registers liveBefore(const Part &part, const std::string &gpu, const Registers &behind) {
  std::vector<mc::Instruction> instructions = instructionsOf(part, gpu);
  std::map<uint32_t, size_t> indexAt;
  for (size_t i = 0; i < instructions.size(); ++i)
    indexAt[instructions[i].offset] = i;
  std::vector<Registers> live(instructions.size() + 1);
  live.back() = behind;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = instructions.size(); i-- > 0;) {
      const mc::Instruction &instruction = instructions[i];
      Registers now;
      bool isUnconditional = instruction.is(mc::Branch) && !instruction.is(mc::Conditional);
      if (!instruction.is(mc::EndsProgram) && !isUnconditional)
        now = live[i + 1];
      if (instruction.is(mc::Branch)) {
        auto target = indexAt.find(instruction.branchTarget);
        now |= target == indexAt.end() ? behind : live[target->second];
      }
      for (const mc::RegisterRange &range : instruction.writes)
        now &= ~bitsOf(range);
      for (const mc::RegisterRange &range : instruction.reads)
        now |= bitsOf(range);
      if (now != live[i]) {
        live[i] = now;
        changed = true;
      }
    }
  }
  return live.front();
}

} // namespace

bool isLive(const Subject &subject, size_t stage, size_t part, Register reg) {
  const auto &parts = subject.stages[stage].parts;
  Registers live;
  for (size_t index = parts.size(); index-- > part;)
    live = liveBefore(*parts[index], subject.target.gpuName, live);
  return live[reg.bank == RegisterBank::Vgpr ? FirstVgpr + reg.index : reg.index];
}

} // namespace dovetail::mutations
