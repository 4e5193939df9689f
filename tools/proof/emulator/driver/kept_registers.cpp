// SPDX-License-Identifier: MIT
//
// Source: src/abi/registers/registers.def lists these registers. PAL and Mesa leave all other registers alone between
// pipelines.
#include "tools/proof/emulator/driver/kept_registers.h"
#include "src/abi/registers/registers.h"

namespace dovetail {

namespace {

// Bits without a pattern; equal for the same register and seed.
uint32_t garbageOf(uint32_t address, uint32_t seed) {
  uint32_t value = (address ^ seed * 0xc2b2ae35u) * 0x9e3779b9u;
  value = (value ^ value >> 16) * 0x85ebca6bu;
  return value ^ value >> 13;
}

} // namespace

emulator::HardwareRegisters keptRegisters(emulator::Generation generation, uint32_t seed) {
  const RegisterGenerations absent =
      generation == emulator::Generation::Gfx9 ? RegisterGenerations::Gfx8 : RegisterGenerations::Gfx9;
  emulator::HardwareRegisters registers;
  for (const RegisterRow &row : registerTable())
    if (row.owner != RegisterOwner::Driver && row.generations != absent)
      for (uint32_t i = 0; i < row.count; ++i)
        registers[row.address + i] = garbageOf(row.address + i, seed);
  return registers;
}

} // namespace dovetail
