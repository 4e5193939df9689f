// SPDX-License-Identifier: MIT
//
// Varies results of vector instructions that an API leaves undefined (undefined_choices.h).
#pragma once

#include "tools/proof/emulator/alu/vector_operand.h"
#include "tools/proof/emulator/isa/instruction_uses.h"
#include <cmath>
#include <limits>
#include <type_traits>

namespace dovetail::emulator {

// Whether T has the truncated value.
template <typename T> bool isInRange(double value) {
  using Limits = std::numeric_limits<T>;
  return value > double(Limits::min()) - 1 && value < double(Limits::max()) + 1; // false for NaN
}

// A truth value as wide as T, so that the compiler can combine vectors of flags with vectors of T.
template <typename T> using LaneFlag = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;

template <typename T> constexpr bool IsFloatOperand = std::is_floating_point_v<typename T::Value>;

// Whether varyResults() must look at a lane with these sources. Most instructions have no such lane.
template <typename D, typename A, typename B, typename C>
[[gnu::always_inline]] inline bool mayVary(uint8_t uses, [[maybe_unused]] typename A::Value a,
                                           [[maybe_unused]] typename B::Value b, [[maybe_unused]] typename C::Value c) {
  bool may = false;
  if constexpr (IsFloatOperand<A> && std::is_integral_v<typename D::Value>)
    may |= (uses & ConversionUse) != 0 && !isInRange<typename D::Value>(double(a));
  if constexpr (IsFloatOperand<A> && IsFloatOperand<D>)
    may |= (uses & ReciprocalUse) != 0 && a == 0;
  if constexpr (IsFloatOperand<A> && IsFloatOperand<B> && IsFloatOperand<D>)
    may |= (uses & LegacyUse) != 0 && ((a == 0 && !std::isfinite(b)) || (b == 0 && !std::isfinite(a)));
  if constexpr (std::is_arithmetic_v<typename B::Value> && std::is_same_v<typename B::Value, typename C::Value>)
    may |= (uses & ClampUse) != 0 && b > c;
  return may;
}

// Replaces undefined results of lanes that are on. D: the result's type; A, B, C: the sources' types.
template <typename D, typename A, typename B, typename C, typename R>
void varyResults(Wave &wave, const Instruction &instruction, const Values<A> &a, const Values<B> &b, const Values<C> &c,
                 std::array<R, WaveSize> &results) {
  UndefinedChoices &choices = wave.undefinedChoices();
  const uint8_t uses = instruction.variedResults;
  LaneFlag<typename A::Value> isAny = (uses & HalvesUse) != 0 && wave.roundingNoise().isOf(NoiseSource::Halves);
  for (unsigned lane = 0; lane < WaveSize; ++lane)
    isAny |= mayVary<D, A, B, C>(uses, a[lane], b[lane], c[lane]) ? 1 : 0;
  if (isAny == 0)
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
      if ((uses & HalvesUse) != 0 && wave.roundingNoise().isOf(NoiseSource::Halves))
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

// Replaces NaNs among the float results of any instruction.
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
