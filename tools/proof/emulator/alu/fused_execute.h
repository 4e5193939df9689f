// SPDX-License-Identifier: MIT
//
// The fused way runs a vector instruction in one loop over all 64 lanes, from the registers of the operands to the
// register of the result. The compiler makes host vector instructions of this loop. Nearly all instructions can take
// it: those on 32 bits whose only modifiers are signs and the clamp of a float, while MODE rounds to nearest.
#pragma once

#include "tools/proof/emulator/alu/vector_math.h"
#include "tools/proof/emulator/alu/vector_result.h"
#include "tools/proof/emulator/numerics/host_vectors.h"

namespace dovetail::emulator {

// What an operation may ask for, besides its sources.
struct Context {
  unsigned lane = 0;
  bool mask = false; // the lane's bit of the mask operand
  Rounding rounding16 = Rounding::NearestEven;
  Rounding rounding32 = Rounding::NearestEven;
};

// The lanes of a source, and the changes that apply to them.
struct FusedOperand {
  const uint32_t *lanes = nullptr;
  uint32_t uniform = 0; // the value of all lanes, if `lanes` is nullptr
  uint32_t keep = ~0u;  // clears the sign of absolute values
  uint32_t flip = 0;    // the sign bit for negated values
  uint32_t keepDenormals = ~0u;
};

struct FusedOperands {
  std::array<FusedOperand, 3> sources;
  uint64_t mask = 0; // for instructions with a mask
  uint32_t keepDenormalResults = ~0u;
  Rounding rounding16 = Rounding::NearestEven;
};

// Bits of an f32. A denormal keeps only its sign, unless `keepDenormals` is all ones. Any other number keeps the bits
// in `keep`.
[[gnu::always_inline]] inline uint32_t withDenormalsAs(uint32_t bits, uint32_t keepDenormals, uint32_t keep = ~0u) {
  constexpr uint32_t Exponent = 0x7f800000, Sign = 0x80000000;
  return bits & ((bits & Exponent) != 0 ? keep : keep & (keepDenormals | Sign));
}

template <typename T>
[[gnu::always_inline]] inline typename T::Value fusedValue(const FusedOperand &operand, unsigned lane) {
  if constexpr (T::Kind.width == 0) {
    return {};
  } else {
    const uint32_t bits = operand.lanes[lane];
    if constexpr (std::is_same_v<typename T::Value, float>)
      return std::bit_cast<float>(withDenormalsAs(bits, operand.keepDenormals, operand.keep) ^ operand.flip);
    else if constexpr (T::Kind.isFloat)
      return typename T::Value((bits & operand.keep) ^ operand.flip);
    else
      return typename T::Value(bits);
  }
}

// The operand with lanes. This is inlined, so a uniform operand is written with the same width as it is read.
template <typename T> [[gnu::always_inline]] inline FusedOperand inLanes(const FusedOperand &from, Lanes &uniform) {
  // Copy member by member, as they were written: a copy of the whole struct would have to wait for all stores.
  FusedOperand operand{from.lanes, from.uniform, from.keep, from.flip, from.keepDenormals};
  if constexpr (T::Kind.width != 0)
    if (operand.lanes == nullptr) {
      uniform.fill(operand.uniform);
      operand.lanes = uniform.data();
    }
  return operand;
}

// Writes the lanes of `to` that are on in `exec` (all ones or 0 per lane), and the carries of all lanes (not 0: a
// carry). Returns whether a result of a lane that is on is a NaN.
template <typename D, typename A, typename B, typename C, bool HasMask, bool HasCarry, auto Operation>
[[gnu::always_inline]] inline bool computeFused(const FusedOperands &operands, const Lanes &exec, Lanes &to,
                                                Lanes &carries) {
  std::array<Lanes, 3> uniform;
  const FusedOperand sourceA = inLanes<A>(operands.sources[0], uniform[0]),
                     sourceB = inLanes<B>(operands.sources[1], uniform[1]),
                     sourceC = inLanes<C>(operands.sources[2], uniform[2]);
  const uint32_t keepDenormalResults = operands.keepDenormalResults;
  const Rounding rounding16 = operands.rounding16;
  Lanes masks;
  if constexpr (HasMask)
    masks = laneMasks(operands.mask);
  uint32_t isAnyNaN = 0;
  // If `to` is also a source, each lane reads it only for itself.
  DOVETAIL_LANES_ARE_APART
  for (unsigned lane = 0; lane < WaveSize; ++lane) {
    Context context;
    context.lane = lane;
    context.rounding16 = rounding16;
    if constexpr (HasMask)
      context.mask = masks[lane] != 0;
    const auto result =
        Operation(fusedValue<A>(sourceA, lane), fusedValue<B>(sourceB, lane), fusedValue<C>(sourceC, lane), context);
    uint32_t bits = 0;
    if constexpr (std::is_same_v<typename D::Value, float>) {
      const float value = float(result);
      isAnyNaN |= value != value ? exec[lane] : 0;
      bits = withDenormalsAs(std::bit_cast<uint32_t>(value), keepDenormalResults);
    } else {
      bits = uint32_t(result);
    }
    to[lane] = (bits & exec[lane]) | (to[lane] & ~exec[lane]);
    if constexpr (HasCarry)
      carries[lane] = uint32_t(uint64_t(result) >> 32) & 1 ? ~0u : 0;
  }
  return isAnyNaN != 0;
}

// Whether a result of a lane that is on may vary.
template <typename D, typename A, typename B, typename C>
[[gnu::always_inline]] inline bool mayVaryFused(const FusedOperands &operands, const Lanes &exec, uint8_t uses) {
  std::array<Lanes, 3> uniform;
  const FusedOperand sourceA = inLanes<A>(operands.sources[0], uniform[0]),
                     sourceB = inLanes<B>(operands.sources[1], uniform[1]),
                     sourceC = inLanes<C>(operands.sources[2], uniform[2]);
  uint32_t mayVaryAny = 0;
  for (unsigned lane = 0; lane < WaveSize; ++lane)
    mayVaryAny |= mayVary<D, A, B, C>(uses, fusedValue<A>(sourceA, lane), fusedValue<B>(sourceB, lane),
                                      fusedValue<C>(sourceC, lane))
                      ? exec[lane]
                      : 0;
  return mayVaryAny != 0;
}

// Whether the instruction may take the fused way in this wave. decode() has checked everything that depends on the
// instruction alone.
inline bool mayBeFused(Wave &wave, const Instruction &instruction) {
  constexpr uint32_t RoundingOf32 = 3; // in MODE; 0: to nearest
  return instruction.isPlain && (wave.mode() & RoundingOf32) == 0;
}

template <typename T>
[[gnu::always_inline]] inline FusedOperand fusedOperand(Wave &wave, const Instruction &instruction, unsigned index) {
  FusedOperand operand;
  if constexpr (T::Kind.width != 0) {
    constexpr uint32_t Sign = 0x80000000;
    const unsigned source = instruction.src[index];
    if (source >= FirstVgpr)
      operand.lanes = wave.readVgpr(source - FirstVgpr).data();
    else
      operand.uniform = wave.scalar(instruction, source);
    if (instruction.abs[index])
      operand.keep = ~Sign;
    if (instruction.neg[index])
      operand.flip = Sign;
    if (!T::Kind.isFloat && (instruction.abs[index] || instruction.neg[index]))
      wave.trap(TrapKind::Unsupported, "abs or neg of an integer");
    if (flushesInputs(wave, T::Kind))
      operand.keepDenormals = 0;
  }
  return operand;
}

// The last steps for results: a variation may replace NaNs; clamping. `masks`: the lanes to clamp.
void replaceNotANumbers(Wave &wave, Lanes &bits);
void clampLanes(const Wave &wave, const Lanes &masks, Lanes &bits);

} // namespace dovetail::emulator
