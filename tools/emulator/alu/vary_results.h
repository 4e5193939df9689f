// SPDX-License-Identifier: MIT
//
// Results of vector instructions that an API leaves undefined (undefined_choices.h).
#pragma once

#include "tools/emulator/alu/varied_results.h"
#include "tools/emulator/alu/vector_operand.h"
#include <cmath>
#include <limits>
#include <type_traits>

namespace dovetail::emulator {

// Whether truncation gives an integer that T has.
template <typename T> bool isInRange(double value) {
  using Limits = std::numeric_limits<T>;
  return value > double(Limits::min()) - 1 && value < double(Limits::max()) + 1; // false for NaN
}

// A truth value as wide as T: what the compiler can gather from vectors of T.
template <typename T> using LaneFlag = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

template <typename T> constexpr bool IsFloatOperand = std::is_floating_point_v<typename T::Value>;

// Whether there is a lane that varyResults() has to look at. In most instructions there is none.
template <typename D, typename A, typename B, typename C>
bool mayVary(Wave &wave, uint8_t uses, const Values<A> &a, const Values<B> &b, const Values<C> &c) {
  bool mayVary = false;
  if constexpr (IsFloatOperand<A> && std::is_integral_v<typename D::Value>)
    if ((uses & ConversionUse) != 0)
      for (unsigned lane = 0; lane < WaveSize; ++lane)
        mayVary |= !isInRange<typename D::Value>(double(a[lane]));
  if constexpr (IsFloatOperand<A> && IsFloatOperand<D>)
    if ((uses & ReciprocalUse) != 0) {
      LaneFlag<typename A::Value> isZero = 0;
      for (unsigned lane = 0; lane < WaveSize; ++lane)
        isZero |= a[lane] == 0 ? 1 : 0;
      mayVary |= isZero != 0;
    }
  if constexpr (std::is_arithmetic_v<typename B::Value> && std::is_same_v<typename B::Value, typename C::Value>)
    if ((uses & ClampUse) != 0) {
      LaneFlag<typename B::Value> isEmpty = 0;
      for (unsigned lane = 0; lane < WaveSize; ++lane)
        isEmpty |= b[lane] > c[lane] ? 1 : 0;
      mayVary |= isEmpty != 0;
    }
  return mayVary || (uses & LegacyUse) != 0 || ((uses & HalvesUse) != 0 && wave.roundingNoise().isOn());
}

// Replaces results of lanes that are on. D: the result's type, A, B, C: the sources'.
template <typename D, typename A, typename B, typename C, typename R>
void varyResults(Wave &wave, const Instruction &instruction, const Values<A> &a, const Values<B> &b, const Values<C> &c,
                 std::array<R, WaveSize> &results) {
  UndefinedChoices &choices = wave.undefinedChoices();
  const uint8_t uses = instruction.variedResults;
  if (!mayVary<D, A, B, C>(wave, uses, a, b, c))
    return;
  for (unsigned lane = 0; lane < WaveSize; ++lane) {
    if (!wave.laneIsOn(lane))
      continue;
    if constexpr (IsFloatOperand<A> && std::is_integral_v<typename D::Value>)
      if ((uses & ConversionUse) != 0 && !isInRange<typename D::Value>(double(a[lane])) &&
          choices.happens(UndefinedEvent::Conversion))
        results[lane] = R(choices.bits());
    if constexpr (IsFloatOperand<A> && IsFloatOperand<D>)
      if ((uses & ReciprocalUse) != 0 && a[lane] == 0 && choices.happens(UndefinedEvent::Division) &&
          choices.bits() % 2 != 0)
        results[lane] = R(choices.number());
    if constexpr (std::is_same_v<R, uint32_t> && std::is_same_v<typename B::Value, float>)
      if ((uses & HalvesUse) != 0 && wave.roundingNoise().isOn())
        results[lane] += wave.roundingNoise().halfStep(results[lane], a[lane]) |
                         wave.roundingNoise().halfStep(results[lane] >> 16, b[lane]) << 16;
    if constexpr (IsFloatOperand<A> && IsFloatOperand<B> && IsFloatOperand<D>)
      if ((uses & LegacyUse) != 0 &&
          ((a[lane] == 0 && !std::isfinite(b[lane])) || (b[lane] == 0 && !std::isfinite(a[lane]))) &&
          choices.happens(UndefinedEvent::NotANumber))
        results[lane] = R(choices.number());
    if constexpr (std::is_same_v<typename B::Value, typename C::Value> && std::is_arithmetic_v<typename B::Value> &&
                  std::is_same_v<typename A::Value, typename B::Value>)
      if ((uses & ClampUse) != 0 && b[lane] > c[lane] && choices.happens(UndefinedEvent::Clamp))
        results[lane] = R(choices.bits() % 2 ? b[lane] : c[lane]);
  }
}

// Of float results of any instruction.
template <typename R> void chooseForNotANumber(Wave &wave, std::array<R, WaveSize> &results) {
  LaneFlag<R> isAny = 0;
  for (unsigned lane = 0; lane < WaveSize; ++lane)
    isAny |= results[lane] != results[lane] ? 1 : 0;
  if (isAny == 0)
    return;
  for (unsigned lane = 0; lane < WaveSize; ++lane)
    if (wave.laneIsOn(lane) && results[lane] != results[lane] &&
        wave.undefinedChoices().happens(UndefinedEvent::NotANumber))
      results[lane] = R(wave.undefinedChoices().number());
}

} // namespace dovetail::emulator
