// SPDX-License-Identifier: MIT
//
// Rounding noise: two correct implementations of a shader may differ in the last bits of every f32 result (the hardware
// documents no exact bits for interpolation and transcendental functions, and compilers may reorder), and where a
// shader is discontinuous, as at a texel's border or in a comparison, that shows as another picture. Running a draw
// with noise tells where: results of vector instructions that do not look exact are moved by up to two ulps at random.
// What is believed here: docs/hardware-facts.md.
#pragma once

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
    constexpr uint32_t LastBits = 0x3f;
    uint32_t bits = std::bit_cast<uint32_t>(value);
    if (((bits & LastBits) == 0 && !mayLookExact) || !std::isnormal(value))
      return value;
    // xorshift64
    m_state ^= m_state << 13;
    m_state ^= m_state >> 7;
    m_state ^= m_state << 17;
    return std::bit_cast<float>(bits + uint32_t(m_state >> 33) % 5 - 2);
  }

private:
  uint64_t m_state;
};

} // namespace dovetail::emulator
