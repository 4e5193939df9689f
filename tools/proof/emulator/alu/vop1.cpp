// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/alu/vector_execute.h"
#include <algorithm>

namespace dovetail::emulator {

namespace {

int saturateToByte(int value) {
  return std::clamp(value, 0, 255);
}

void doNothing(Wave &, const Instruction &) {}

// Reads the first lane that is on, or lane 0 if none is.
void readFirstLane(Wave &wave, const Instruction &instruction) {
  unsigned lane = wave.exec() == 0 ? 0 : unsigned(std::countr_zero(wave.exec()));
  if (instruction.src[0] >= FirstVgpr)
    wave.writeSgprBits(instruction.dst & 0xff, wave.readVgprLane(instruction.src[0] - FirstVgpr, lane));
  else
    wave.writeSgpr(instruction.dst & 0xff, wave.scalar(instruction, instruction.src[0]));
}

// v_movreld, v_movrels, v_movrelsd: M0 is added to the number of the destination, of the source, of both.
void moveRelative(Wave &wave, const Instruction &instruction) {
  constexpr unsigned Source = 1, Destination = 8;
  const std::string_view name = instruction.opcode->name;
  const unsigned operands = (name != "v_movreld_b32" ? Source : 0) | (name != "v_movrels_b32" ? Destination : 0);
  const std::optional<Instruction> moved = wave.withVgprIndex(instruction, wave.m0(), operands);
  if (!moved)
    return;
  Lanes bits;
  fetchBits(wave, *moved, 0, U32::Kind, bits);
  writeLanes(wave, *moved, U32::Kind, false, bits);
}

void swapRegisters(Wave &wave, const Instruction &instruction) {
  Instruction back = instruction;
  back.src[0] = instruction.dst;
  back.dst = instruction.src[0];
  Lanes forward, backward;
  fetchBits(wave, instruction, 0, U32::Kind, forward);
  fetchBits(wave, back, 0, U32::Kind, backward);
  writeLanes(wave, instruction, U32::Kind, false, forward);
  writeLanes(wave, back, U32::Kind, false, backward);
}

#define VOP1(number, name, generations, D, A, ...)                                                                     \
  VECTOR_ROW(Vop1, number, name, generations, D, A, NoOperand, NoOperand, Shape{}, __VA_ARGS__)
#define FUNCTION1(number, name, generations, dstDwords, srcDwords, function)                                           \
  FUNCTION_ROW(Vop1, number, name, generations, dstDwords, srcDwords, 0, 0, function)

constexpr Opcode Table[] = {
#include "tools/proof/emulator/isa/opcodes/vop1.def"
};

} // namespace

std::span<const Opcode> vop1Opcodes() {
  return Table;
}

} // namespace dovetail::emulator
