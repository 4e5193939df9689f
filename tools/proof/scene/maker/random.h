// SPDX-License-Identifier: MIT
//
// Random numbers that are the same on every machine, unlike the standard library's distributions. A stream depends on
// the scene's seed and on its purpose. So a resource does not change when another one is added.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace dovetail {

class Random {
public:
  // `purpose` and `numbers` tell streams of one seed apart.
  explicit Random(uint64_t seed, std::string_view purpose = {}, std::initializer_list<uint64_t> numbers = {});

  uint64_t next();                                 // all 64 bits
  uint32_t below(uint32_t bound);                  // 0 … bound - 1; bound > 0
  uint32_t between(uint32_t first, uint32_t last); // both included
  bool chance(unsigned percent);
  float real();                      // [0, 1), 24 bits
  float real(float low, float high); // [low, high)

  template <typename T> const T &pick(std::span<const T> choices) { return choices[below(uint32_t(choices.size()))]; }
  template <typename T, size_t N> const T &pick(const T (&choices)[N]) { return choices[below(N)]; }

private:
  uint64_t m_state;
};

// A smooth wave made of parabolas: period 1, between -1 and 1, 0 at 0.
float wave(float phase);

} // namespace dovetail
