// SPDX-License-Identifier: MIT
//
// Takes results of vector ALU instructions to the register, in this order: rounding, denormals to zero if MODE says so,
// output modifier, clamp, then the half or byte that OP_SEL or SDWA selects, in the lanes that are on.
#pragma once

#include "tools/proof/emulator/alu/vary_results.h"
#include <limits>
#include <type_traits>

namespace dovetail::emulator {

// The changes of a result before it is written. `clamp` clamps a float to [0, 1], an integer to its range.
struct ResultMode {
  Rounding rounding = Rounding::NearestEven;
  bool flush = false;
  uint8_t omod = 0;
  bool clamp = false;
  bool dx10Clamp = true;
};
ResultMode resultMode(const Wave &wave, const Instruction &instruction, OperandKind kind);

// MODE's rounding of f32, or of f16 and f64.
inline Rounding roundingOf(const Wave &wave, unsigned width) {
  return Rounding(wave.mode() >> (width == 32 ? 0 : 2) & 3);
}

// Whether denormal results become zero.
inline bool flushesResults(const Wave &wave, OperandKind kind) {
  if (kind.denormals != Denormals::AsMode)
    return kind.denormals == Denormals::Flushed;
  return (wave.mode() >> (kind.width == 32 ? 5 : 7) & 1) == 0;
}

// While it lives, the host rounds as the wave does.
class HostRounding {
public:
  explicit HostRounding(Rounding rounding);
  ~HostRounding();
  HostRounding(const HostRounding &) = delete;
  HostRounding &operator=(const HostRounding &) = delete;

private:
  bool m_changed;
};

template <typename F> F outputModifier(F value, uint8_t omod) {
  constexpr std::array<float, 4> Factors = {1.0f, 2.0f, 4.0f, 0.5f};
  value *= F(Factors[omod]);
  return value == 0 ? F(0) : value;
}

template <typename F> F clampToUnit(F value, bool dx10Clamp) {
  const F number = value > 1 ? F(1) : value > 0 ? value : F(0);
  return value != value && !dx10Clamp ? value : number;
}

template <typename F> F flushDenormal(F value) {
  using Bits = std::conditional_t<sizeof(F) == 4, uint32_t, uint64_t>;
  constexpr Bits Exponent = std::bit_cast<Bits>(std::numeric_limits<F>::infinity()), Sign = ~(~Bits(0) >> 1);
  const Bits bits = std::bit_cast<Bits>(value);
  return std::bit_cast<F>((bits & Exponent) == 0 ? bits & Sign : bits);
}

// Denormals, output modifier and clamp of f32 and f64. Most instructions have none of these; their loops over the lanes
// are then skipped.
template <typename F> void modifyResults(std::array<F, WaveSize> &values, const ResultMode &mode) {
  auto flush = [&] {
    if (mode.flush)
      for (F &value : values)
        value = flushDenormal(value);
  };
  flush();
  if (mode.omod != 0) {
    for (F &value : values)
      value = outputModifier(value, mode.omod);
    flush();
  }
  if (mode.clamp && mode.dx10Clamp)
    for (F &value : values)
      value = clampToUnit(value, true);
  else if (mode.clamp)
    for (F &value : values)
      value = clampToUnit(value, false);
}

// Takes a half result as a double.
uint16_t modifyHalf(double value, const ResultMode &mode);

template <typename D, typename R> uint64_t encodeLane(R value, const ResultMode &mode) {
  using Value = typename D::Value;
  if constexpr (D::Kind.isFloat && std::is_floating_point_v<Value>) {
    static_assert(D::Kind.width == 16);
    return modifyHalf(double(value), mode);
  } else {
    // An expression that may leave the result's range is evaluated in a wider type.
    if (mode.clamp) {
      using Limits = std::numeric_limits<Value>;
      if (value < R(0) && (!Limits::is_signed || __int128(value) < __int128(Limits::min())))
        return uint64_t(Limits::min());
      if (value > R(0) && __int128(value) > __int128(Limits::max()))
        return uint64_t(Limits::max());
    }
    return uint64_t(value);
  }
}

// Writes the lanes writtenLanes() of instruction.dst.
void writeLanes(Wave &wave, const Instruction &instruction, OperandKind kind, bool keepsOtherHalf, const Lanes &bits);
void writeLanes(Wave &wave, const Instruction &instruction, const WideLanes &bits);

// Adds noise to f32 results, except those of conversions: they are exact, or rounded in one defined way.
void addRoundingNoise(Wave &wave, const Instruction &instruction, Lanes &bits);

// Moves results of reciprocals by Variation::reciprocalUlps; leaves other results alone.
void moveReciprocals(const Wave &wave, const Instruction &instruction, Lanes &bits);

// May replace NaNs in `results`.
template <typename D, typename R>
void storeResult(Wave &wave, const Instruction &instruction, std::array<R, WaveSize> &results) {
  if constexpr (D::Kind.isFloat && std::is_floating_point_v<R>)
    chooseForNotANumber(wave, results);
  ResultMode mode = resultMode(wave, instruction, D::Kind);
  BitsOf<D> bits;
  using Bits = typename BitsOf<D>::value_type;
  using Value = typename D::Value;
  if constexpr (D::Kind.isFloat && std::is_floating_point_v<Value> && D::Kind.width != 16) {
    Values<D> values;
    for (unsigned lane = 0; lane < WaveSize; ++lane)
      values[lane] = Value(results[lane]);
    modifyResults(values, mode);
    for (unsigned lane = 0; lane < WaveSize; ++lane)
      bits[lane] = std::bit_cast<Bits>(values[lane]);
  } else if constexpr (std::is_integral_v<Value>) {
    if (mode.clamp)
      for (unsigned lane = 0; lane < WaveSize; ++lane)
        bits[lane] = Bits(encodeLane<D>(results[lane], mode));
    else
      for (unsigned lane = 0; lane < WaveSize; ++lane)
        bits[lane] = Bits(results[lane]);
  } else {
    for (unsigned lane = 0; lane < WaveSize; ++lane)
      bits[lane] = Bits(encodeLane<D>(results[lane], mode));
  }
  if constexpr (D::Kind.isFloat && D::Kind.width == 16) {
    if (wave.roundingNoise().isOf(NoiseSource::Halves))
      for (uint32_t &value : bits)
        value = wave.roundingNoise().applyToHalf(uint16_t(value));
  }
  if constexpr (D::Kind.isFloat && D::Kind.width == 32) {
    if (wave.roundingNoise().isOn())
      addRoundingNoise(wave, instruction, bits);
    if (wave.reciprocalUlps() != 0)
      moveReciprocals(wave, instruction, bits);
  }
  if constexpr (D::Kind.width == 64)
    writeLanes(wave, instruction, bits);
  else
    writeLanes(wave, instruction, D::Kind, D::KeepsOtherHalf || wave.facts().keepsOtherHalf, bits);
}

} // namespace dovetail::emulator
