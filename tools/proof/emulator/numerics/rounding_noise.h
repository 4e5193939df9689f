// SPDX-License-Identifier: MIT
//
// Two correct implementations of a shader may differ in the last bits of every f32 result: the hardware documents no
// exact bits for interpolation and transcendental functions, and compilers may reorder. Where a shader is
// discontinuous, as at a texel's border or in a comparison, such a difference gives another picture. Rounding noise
// finds these places: it moves results of vector instructions that do not look exact by up to two ulps at random.
// docs/hardware-facts.md lists the assumptions.
//
// Compilers divide integers with floats, which is exact by construction: integer_division.h says which results get no
// noise.
#pragma once

#include "tools/proof/emulator/numerics/half.h"
#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace dovetail::emulator {

// The sources of noise.
enum class NoiseSource : uint8_t {
  Interpolation,  // v_interp
  Transcendental, // v_rcp, v_rsq, v_sqrt, v_exp, v_log, v_sin, v_cos
  Arithmetic,     // other f32 results
  Halves,         // f16 results, and conversions to halves that hardware may round in different ways
  HalfDenormals,  // of v_mad_mix, which hardware may flush; for shaders that set no mode for half denormals
  Places,         // fractions of image coordinates for filters
  Conversions,    // of normalised texels and attributes, and of resolved samples
};
constexpr unsigned NoiseSourceCount = unsigned(NoiseSource::Conversions) + 1;
constexpr uint8_t AllNoise = (1u << NoiseSourceCount) - 1;
std::string_view toString(NoiseSource source);

class RoundingNoise {
public:
  // Seed 0: no noise. `sources`: a mask of the noise sources that are on.
  explicit RoundingNoise(uint64_t seed = 0, uint8_t sources = AllNoise) : m_state(seed), m_sources(sources) {}

  bool isOn() const { return m_state != 0; }
  bool isOf(NoiseSource source) const { return isOn() && (m_sources >> unsigned(source) & 1) != 0; }

  // A number whose last bits are all zero, such as a small integer or its fraction, counts as exact, unless
  // `mayLookExact` says that this means nothing.
  float apply(float value, bool mayLookExact) {
    constexpr uint32_t LastBits = 0x3ff;
    uint32_t bits = std::bit_cast<uint32_t>(value);
    if (((bits & LastBits) == 0 && !mayLookExact) || !std::isnormal(value))
      return value;
    return std::bit_cast<float>(bits + next() % 5 - 2);
  }

  // Moves a half by up to one ulp.
  uint16_t applyToHalf(uint16_t bits) {
    constexpr uint32_t LastBits = 0x7, LargestExponent = 0x7800, LeastNormal = 0x400;
    const uint32_t magnitude = bits & 0x7fff;
    if ((bits & LastBits) == 0 || magnitude >= LargestExponent || magnitude <= LeastNormal)
      return bits;
    return uint16_t(bits + next() % 3 - 1);
  }

  // What to add to a half that is `value` rounded toward zero: 1 if rounding away is taken instead.
  uint32_t halfStep(uint32_t half, float value) {
    constexpr uint32_t LargestExponent = 0x7800;
    const bool isExact = fromHalf(uint16_t(half)) == double(value);
    return !isExact && (half & 0x7fff) < LargestExponent ? next() & 1 : 0;
  }

  // Chooses between two results. Only if isOn().
  bool choose() { return (next() & 1) != 0; }

  // A number in (-1, 1). Only if isOn().
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
  uint8_t m_sources;
};

} // namespace dovetail::emulator
