// SPDX-License-Identifier: MIT
//
// Unsigned division by a constant, without a division instruction: n / d = ((n * magic) >> 32) >> shift, if the
// multiplier fits into 32 bits. Otherwise the multiplier has a 33rd bit, which is 1, and n is added (Granlund and
// Montgomery, "Division by Invariant Integers using Multiplication", 1994).
#pragma once

#include <bit>
#include <cstdint>

namespace dovetail {

struct Division {
  uint32_t magic = 0; // 0: a shift alone
  uint8_t shift = 0;
  bool addsDividend = false; // the 33rd bit: q = high(n * magic); ((n - q) / 2 + q) >> (shift - 1)
};

// divisor: not 0.
constexpr Division divisionBy(uint32_t divisor) {
  const unsigned floorLog2 = 31 - unsigned(std::countl_zero(divisor));
  if (std::has_single_bit(divisor))
    return {0, uint8_t(floorLog2), false};
  // 2^(32 + floorLog2) / divisor is rounded up, so it is a little too large. It is exact enough if the error is below
  // 2^floorLog2; with one more bit it always is.
  const uint64_t power = uint64_t(1) << (32 + floorLog2);
  const uint64_t quotient = power / divisor;
  const uint64_t excess = divisor - power % divisor;
  if (excess < uint64_t(1) << floorLog2)
    return {uint32_t(quotient + 1), uint8_t(floorLog2), false};
  const unsigned __int128 doublePower = static_cast<unsigned __int128>(power) * 2;
  return {uint32_t(doublePower / divisor + 1), uint8_t(floorLog2 + 1), true};
}

} // namespace dovetail
