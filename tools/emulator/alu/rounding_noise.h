// SPDX-License-Identifier: MIT
//
// Rounding noise: two correct implementations of a shader may differ in the last bits of every f32 result (the hardware
// documents no exact bits for interpolation and transcendental functions, and compilers may reorder), and where a
// shader is discontinuous, as at a texel's border or in a comparison, that shows as another picture. Running a draw
// with noise tells where: results of vector instructions that do not look exact are moved by up to two ulps at random.
// What is believed here: docs/hardware-facts.md.
#pragma once

#include "tools/emulator/alu/half.h"
#include <bit>
#include <cmath>
#include <cstdint>

namespace dovetail::emulator {

class RoundingNoise {
public:
  // Seed 0: no noise.
  explicit RoundingNoise(uint64_t seed = 0) : m_state(seed) {}

  bool isOn() const { return m_state != 0; }

  // A number whose last bits are all zero, as small integers and their fractions have, is taken for exact, unless
  // `mayLookExact` says that this means nothing.
  float apply(float value, bool mayLookExact) {
    constexpr uint32_t LastBits = 0x3ff;
    uint32_t bits = std::bit_cast<uint32_t>(value);
    if (((bits & LastBits) == 0 && !mayLookExact) || !std::isnormal(value))
      return value;
    return std::bit_cast<float>(bits + next() % 5 - 2);
  }

  // A half, moved by up to one ulp.
  uint16_t applyToHalf(uint16_t bits) {
    constexpr uint32_t LastBits = 0x7, LargestExponent = 0x7800, LeastNormal = 0x400;
    const uint32_t magnitude = bits & 0x7fff;
    if ((bits & LastBits) == 0 || magnitude >= LargestExponent || magnitude <= LeastNormal)
      return bits;
    return uint16_t(bits + next() % 3 - 1);
  }

  // What to add to a half, which is `value` rounded toward zero: 1 if rounding away would do, too.
  uint32_t halfStep(uint32_t half, float value) {
    constexpr uint32_t LargestExponent = 0x7800;
    const bool isExact = fromHalf(uint16_t(half)) == double(value);
    return !isExact && (half & 0x7fff) < LargestExponent ? next() & 1 : 0;
  }

  // In (-1, 1), if isOn().
  float symmetric() { return float(int32_t(next() << 1)) * 0x1p-31f; }

private:
  // xorshift64
  uint32_t next() {
    m_state ^= m_state << 13;
    m_state ^= m_state >> 7;
    m_state ^= m_state << 17;
    return uint32_t(m_state >> 33);
  }

  uint64_t m_state;
};

} // namespace dovetail::emulator
