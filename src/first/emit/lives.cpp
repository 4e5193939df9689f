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
  struct Place {
    uint32_t block;
    VReg reg;
  };
  std::vector<Place> readFirst, definitions;
  std::vector<uint32_t> lastReading(registers, UINT32_MAX), lastDefining(registers, UINT32_MAX); // blocks
  for (uint32_t block = 0; block < blocks; ++block)
    for (uint32_t i = machine.blocks[block].first; i < machine.blocks[block].end; ++i) {
      const MachineInstruction &instruction = machine.instructions[i];
      forEachRegister(machine.usesOf(instruction), [&](VReg reg) {
        if (!machine.isOfLanes(reg) || lastDefining[reg] == block || lastReading[reg] == block)
          return;
        lastReading[reg] = block;
        readFirst.push_back({block, reg});
      });
      forEachRegister(machine.definitionsOf(instruction), [&](VReg reg) {
        if (!machine.isOfLanes(reg) || lastDefining[reg] == block)
          return;
        lastDefining[reg] = block;
        definitions.push_back({block, reg});
      });
    }
  VectorLives lives;
  lives.m_numbers.assign(registers, VectorLives::NoNumber);
  for (VReg reg = 0; reg < registers; ++reg)
    if (lastReading[reg] != UINT32_MAX) {
      lives.m_numbers[reg] = uint32_t(lives.m_registers.size());
      lives.m_registers.push_back(reg);
    }
  lives.m_in.assign(blocks, Bits(lives.m_registers.size()));
  std::vector<Bits> defined = lives.m_out = lives.m_in;
  for (const Place &place : readFirst)
    lives.m_in[place.block].set(lives.m_numbers[place.reg]);
  for (const Place &place : definitions)
    if (const uint32_t number = lives.m_numbers[place.reg]; number != VectorLives::NoNumber)
      defined[place.block].set(number);
  for (bool isChanged = blocks > 1; isChanged;) {
    isChanged = false;
    for (size_t block = blocks; block-- > 0;) {
      const Block &source = program.blocks[block];
      for (unsigned s = 0; s < source.successorCount(); ++s)
        lives.m_out[block].add(lives.m_in[source.successors[s]]);
      isChanged |= lives.m_in[block].add(lives.m_out[block], &defined[block]);
    }
  }
  return lives;
}

} // namespace dovetail::first
