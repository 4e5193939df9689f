// SPDX-License-Identifier: MIT
//
// The one executor of all vector ALU instructions that work lane by lane, and the macros that make a row of a table
// into it. A row's last column is an expression of a, b and c, the sources as values of the types that the row names,
// and where it needs more of `context`. The result is converted to the row's first type.
#pragma once

#include "tools/proof/emulator/alu/fused_execute.h"
#include "tools/proof/emulator/isa/opcode.h"

namespace dovetail::emulator {

// What differs between instructions besides types and expression.
enum class Third : uint8_t { Source, OldDestination };               // of v_mac
enum class Literals : uint8_t { None, SecondOfThree, ThirdOfThree }; // v_madmk: a * K + b; v_madak: a * b + K
enum class MaskIn : uint8_t { None, VccOrThird, Vcc };               // the 64-bit mask of v_cndmask, v_addc, v_div_fmas
enum class CarryOut : uint8_t { None, Yes };

struct Shape {
  Third third = Third::Source;
  Literals literals = Literals::None;
  MaskIn maskIn = MaskIn::None;
  CarryOut carryOut = CarryOut::None;
};

// The mask register of an instruction: VCC, unless the VOP3 encoding names another.
inline uint64_t readMask(Wave &wave, const Instruction &instruction, MaskIn maskIn) {
  if (maskIn == MaskIn::VccOrThird && instruction.format == Format::Vop3)
    return instruction.src[2] < InlineZero ? wave.readLaneMask(instruction.src[2])
                                           : wave.scalar64(instruction, instruction.src[2]);
  return wave.readLaneMask(VccLo);
}

inline void writeMask(Wave &wave, const Instruction &instruction, uint64_t mask) {
  wave.writeSgprPair(instruction.format == Format::Vop3 ? instruction.sdst : uint16_t(VccLo), mask & wave.exec());
}

template <typename T> void fetchOldDestination(Wave &wave, const Instruction &instruction, Values<T> &values) {
  Lanes bits = wave.readVgpr(instruction.dst - FirstVgpr);
  if (T::Kind.width == 16) {
    for (uint32_t &value : bits)
      value = (instruction.opSel & 8) != 0 ? value >> 16 : value & 0xffff;
  }
  decodeLanes<T>(wave, bits, values);
}

template <typename T> void fetchLiteral(Wave &wave, const Instruction &instruction, Values<T> &values) {
  Lanes bits;
  bits.fill(T::Kind.width == 16 ? instruction.literal & 0xffff : instruction.literal);
  decodeLanes<T>(wave, bits, values);
}

// Types of which all are 32 bits wide, or nothing.
template <typename... T> constexpr bool AreOf32Bits = ((T::Kind.width == 32 || T::Kind.width == 0) && ...);

constexpr Lanes AllLanes = [] {
  Lanes lanes = {};
  lanes.fill(~0u);
  return lanes;
}();

// The results of operands that are there. Rounding noise counts on those of all lanes.
template <typename D, typename A, typename B, typename C, Shape TheShape, auto Operation>
void finishFused(Wave &wave, const Instruction &instruction, FusedOperands &operands) {
  constexpr bool HasMask = TheShape.maskIn != MaskIn::None, HasCarry = TheShape.carryOut == CarryOut::Yes;
  if constexpr (HasMask)
    operands.mask = readMask(wave, instruction, TheShape.maskIn);
  operands.keepDenormalResults = flushesResults(wave, D::Kind) ? 0 : ~0u;
  operands.rounding16 = roundingOf(wave, 16);
  Lanes &to = wave.writeVgpr(instruction.dst - FirstVgpr);
  Lanes carries;
  auto compute = [&](const Lanes &lanes, Lanes &results) {
    bool isAnyNaN = false;
    withHostVectors(
        [&] { isAnyNaN = computeFused<D, A, B, C, HasMask, HasCarry, Operation>(operands, lanes, results, carries); });
    if (isAnyNaN)
      replaceNotANumbers(wave, results);
    if (instruction.clamp)
      clampLanes(wave, lanes, results);
  };
  if (D::Kind.isFloat && wave.roundingNoise().isOn()) {
    Lanes results = {};
    compute(AllLanes, results);
    addRoundingNoise(wave, instruction, results);
    wave.setLanes(to, results);
  } else {
    compute(wave.execMasks(), to);
  }
  if constexpr (HasCarry)
    writeMask(wave, instruction, laneBits(carries));
}

// False: a result may vary, and nothing has happened yet.
template <typename D, typename A, typename B, typename C, Shape TheShape, auto Operation>
bool executeFused(Wave &wave, const Instruction &instruction) {
  FusedOperands operands;
  auto literal = [&] {
    FusedOperand operand;
    operand.uniform = instruction.literal;
    if (flushesInputs(wave, C::Kind))
      operand.keepDenormals = 0;
    return operand;
  };
  operands.sources[0] = fusedOperand<A>(wave, instruction, 0);
  if constexpr (TheShape.literals == Literals::SecondOfThree) {
    operands.sources[1] = literal();
    operands.sources[2] = fusedOperand<C>(wave, instruction, 1);
  } else {
    operands.sources[1] = fusedOperand<B>(wave, instruction, 1);
    if constexpr (TheShape.literals == Literals::ThirdOfThree) {
      operands.sources[2] = literal();
    } else if constexpr (TheShape.third == Third::OldDestination) {
      operands.sources[2].lanes = wave.readVgpr(instruction.dst - FirstVgpr).data();
      if (flushesInputs(wave, C::Kind))
        operands.sources[2].keepDenormals = 0;
    } else {
      operands.sources[2] = fusedOperand<C>(wave, instruction, 2);
    }
  }
  if ((instruction.variedResults & HalvesUse) != 0 && wave.roundingNoise().isOf(NoiseSource::Halves))
    return false;
  if ((instruction.variedResults & ReciprocalUse) != 0 && wave.reciprocalUlps() != 0)
    return false;
  if (instruction.variedResults != 0) {
    const Lanes &exec = wave.execMasks();
    bool mayVary = false;
    withHostVectors([&] { mayVary = mayVaryFused<D, A, B, C>(operands, exec, instruction.variedResults); });
    if (mayVary)
      return false;
  }
  finishFused<D, A, B, C, TheShape, Operation>(wave, instruction, operands);
  return true;
}

template <typename D, typename A, typename B, typename C, Shape TheShape, auto Operation>
void executeVector(Wave &wave, const Instruction &instruction) {
  if constexpr (AreOf32Bits<D, A, B, C>) {
    const bool isClamped = instruction.clamp && !IsFloatOperand<D>;
    if (mayBeFused(wave, instruction) && !isClamped && executeFused<D, A, B, C, TheShape, Operation>(wave, instruction))
      return;
  }
  Values<A> a;
  Values<B> b;
  Values<C> c;
  fetch<A>(wave, instruction, 0, a);
  if constexpr (TheShape.literals == Literals::SecondOfThree) {
    fetchLiteral<B>(wave, instruction, b);
    fetch<C>(wave, instruction, 1, c);
  } else {
    fetch<B>(wave, instruction, 1, b);
    if constexpr (TheShape.literals == Literals::ThirdOfThree)
      fetchLiteral<C>(wave, instruction, c);
    else if constexpr (TheShape.third == Third::OldDestination)
      fetchOldDestination<C>(wave, instruction, c);
    else
      fetch<C>(wave, instruction, 2, c);
  }
  Lanes masks;
  if constexpr (TheShape.maskIn != MaskIn::None)
    masks = laneMasks(readMask(wave, instruction, TheShape.maskIn));

  Context context;
  context.rounding16 = roundingOf(wave, 16);
  context.rounding32 = roundingOf(wave, 32);
  using Result = decltype(Operation(a[0], b[0], c[0], context));
  std::array<Result, WaveSize> results;
  HostRounding rounding(roundingOf(wave, D::Kind.width));
  for (unsigned lane = 0; lane < WaveSize; ++lane) {
    context.lane = lane;
    if constexpr (TheShape.maskIn != MaskIn::None)
      context.mask = masks[lane] != 0;
    results[lane] = Operation(a[lane], b[lane], c[lane], context);
  }
  if (instruction.variedResults != 0)
    varyResults<D, A, B, C>(wave, instruction, a, b, c, results);
  storeResult<D>(wave, instruction, results);

  // A carry is the bit above the result; a borrow makes the wide result negative, and so sets it, too.
  if constexpr (TheShape.carryOut == CarryOut::Yes) {
    uint64_t carries = 0;
    for (unsigned lane = 0; lane < WaveSize; ++lane)
      carries |= uint64_t(uint64_t(results[lane] >> D::Kind.width) & 1) << lane;
    writeMask(wave, instruction, carries);
  }
}

} // namespace dovetail::emulator

#define VECTOR_ROW(format, number, name, generations, D, A, B, C, shape, ...)                                          \
  Opcode{Format::format,                                                                                               \
         number,                                                                                                       \
         generations,                                                                                                  \
         #name,                                                                                                        \
         D::Dwords,                                                                                                    \
         {A::Dwords, B::Dwords, C::Dwords},                                                                            \
         &executeVector<D, A, B, C, shape,                                                                             \
                        [](A::Value a, [[maybe_unused]] B::Value b, [[maybe_unused]] C::Value c,                       \
                           [[maybe_unused]] const Context &context) { return (__VA_ARGS__); }>},

// Instructions that do not work lane by lane have a function of their own.
#define FUNCTION_ROW(format, number, name, generations, dstDwords, dwords0, dwords1, dwords2, function)                \
  Opcode{Format::format, number, generations, #name, dstDwords, {dwords0, dwords1, dwords2}, &function},
