// SPDX-License-Identifier: MIT
#include "src/first/emit/lives.h"
#include <algorithm>

namespace dovetail::first {

std::vector<Life> scalarLives(const Program &program, const Machine &machine) {
  std::vector<Life> lives(machine.registers.size());
  for (uint32_t i = 0; i < machine.instructions.size(); ++i)
    for (const MachineOperand &operand : machine.operandsOf(machine.instructions[i])) {
      if (operand.kind != MachineOperand::Register || machine.isOfLanes(operand.value))
        continue;
      Life &life = lives[machine.leaderOf(operand.value)];
      life.first = std::min(life.first, i);
      life.last = std::max(life.last, i);
    }
  for (VReg reg = 0; reg < machine.arguments; ++reg)
    if (lives[reg].first != Life::Never)
      lives[reg].first = 0;
  // What comes from in front of a loop stays to the loop's end; inner loops first.
  for (Life &life : lives) {
    if (life.first == Life::Never)
      continue;
    const auto behind = std::ranges::upper_bound(machine.blocks, life.last, {}, &MachineBlock::first);
    uint16_t loop = program.blocks[size_t(behind - machine.blocks.begin()) - 1].loop;
    for (; loop != UINT16_MAX; loop = program.loops[loop].parent) {
      const Loop &around = program.loops[loop];
      if (life.first < machine.blocks[around.header].first)
        life.last = machine.blocks[around.last].end - 1;
    }
  }
  return lives;
}

VectorLives vectorLives(const Program &program, const Machine &machine) {
  const size_t registers = machine.registers.size(), blocks = machine.blocks.size();
  const std::vector<Bits> none(blocks, Bits(registers));
  VectorLives lives = {none, none};
  std::vector<Bits> defined = none;
  for (size_t block = 0; block < blocks; ++block)
    for (uint32_t i = machine.blocks[block].first; i < machine.blocks[block].end; ++i) {
      const MachineInstruction &instruction = machine.instructions[i];
      forEachRegister(machine.usesOf(instruction), [&](VReg reg) {
        if (machine.isOfLanes(reg) && !defined[block].has(reg))
          lives.in[block].set(reg);
      });
      forEachRegister(machine.definitionsOf(instruction), [&](VReg reg) {
        if (machine.isOfLanes(reg))
          defined[block].set(reg);
      });
    }
  for (bool isChanged = blocks > 1; isChanged;) {
    isChanged = false;
    for (size_t block = blocks; block-- > 0;) {
      const Block &source = program.blocks[block];
      for (unsigned s = 0; s < source.successorCount(); ++s)
        lives.out[block].add(lives.in[source.successors[s]]);
      isChanged |= lives.in[block].add(lives.out[block], &defined[block]);
    }
  }
  return lives;
}

} // namespace dovetail::first
