// SPDX-License-Identifier: MIT
#include "tools/proof/scene/maker/random.h"
#include <cmath>

namespace dovetail {

namespace {

// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators").
uint64_t mix(uint64_t value) {
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
  value = (value ^ value >> 27) * 0x94d049bb133111eb;
  return value ^ value >> 31;
}
constexpr uint64_t GoldenGamma = 0x9e3779b97f4a7c15;

} // namespace

Random::Random(uint64_t seed, std::string_view purpose, std::initializer_list<uint64_t> numbers)
    : m_state(mix(seed + GoldenGamma)) {
  auto absorb = [&](uint64_t value) { m_state = mix((m_state ^ value) + GoldenGamma); };
  for (char c : purpose)
    absorb(static_cast<unsigned char>(c));
  absorb(purpose.size());
  for (uint64_t number : numbers)
    absorb(number);
}

uint64_t Random::next() {
  m_state += GoldenGamma;
  return mix(m_state);
}

uint32_t Random::below(uint32_t bound) {
  return static_cast<uint32_t>((next() >> 32) * bound >> 32);
}

uint32_t Random::between(uint32_t first, uint32_t last) {
  return first + below(last - first + 1);
}

bool Random::chance(unsigned percent) {
  return below(100) < percent;
}

float Random::real() {
  return static_cast<float>(next() >> 40) / (1 << 24);
}

float Random::real(float low, float high) {
  return low + (high - low) * real();
}

float wave(float phase) {
  float x = phase - std::floor(phase);
  return x < 0.5f ? 16 * x * (0.5f - x) : -16 * (x - 0.5f) * (1 - x);
}

} // namespace dovetail
