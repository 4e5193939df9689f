// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/alu/vector_execute.h"
#include <algorithm>

namespace dovetail::emulator {

namespace {

constexpr Shape MaskAsInput = {.maskIn = MaskIn::VccOrThird};
constexpr Shape Accumulate = {.third = Third::OldDestination};
constexpr Shape LiteralSecond = {.literals = Literals::SecondOfThree};
constexpr Shape LiteralThird = {.literals = Literals::ThirdOfThree};
constexpr Shape Carry = {.carryOut = CarryOut::Yes};
constexpr Shape CarryInAndOut = {.maskIn = MaskIn::VccOrThird, .carryOut = CarryOut::Yes};

#define VOP2(number, name, generations, D, A, B, ...)                                                                  \
  VECTOR_ROW(Vop2, number, name, generations, D, A, B, NoOperand, Shape{}, __VA_ARGS__)
#define VOP2_SHAPED(number, name, generations, D, A, B, C, shape, ...)                                                 \
  VECTOR_ROW(Vop2, number, name, generations, D, A, B, C, shape, __VA_ARGS__)

constexpr Opcode Table[] = {
#include "tools/proof/emulator/isa/opcodes/vop2.def"
};

} // namespace

std::span<const Opcode> vop2Opcodes() {
  return Table;
}

} // namespace dovetail::emulator
