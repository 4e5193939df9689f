// SPDX-License-Identifier: MIT
//
// The ways to come by a program's variants, and what a way costs.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace dovetail {

enum class Way : uint8_t {
  Parts,      // joined from parts, each made once
  Optimized,  // likewise, and recompiled as a whole in the background
  Stored,     // likewise, but the parts are on disk already
  Monolithic, // every variant compiled as a whole
  RadvLinked, // RADV's pipeline libraries, fast link
  RadvAco,    // RADV, every pipeline compiled as a whole
  RadvLlvm,
};
constexpr unsigned WayCount = unsigned(Way::RadvLlvm) + 1;
constexpr std::array<Way, WayCount> AllWays = {Way::Parts,      Way::Optimized, Way::Stored,  Way::Monolithic,
                                               Way::RadvLinked, Way::RadvAco,   Way::RadvLlvm};

// In words, as reports call it.
std::string_view toString(Way way);
// A word, as in JSON.
std::string_view toWord(Way way);
constexpr bool isRadv(Way way) {
  return way >= Way::RadvLinked;
}

// What it cost to come by all variants of one program, once. Times are µs.
struct Pass {
  std::vector<double> ready; // wall time from the draw that asks for a variant to having it, in the order of the states
  double wall = 0, cpu = 0;  // of all of it, the background included
  double variants = 0;       // that differ; RADV makes a pipeline for each state
  double compiles = 0;       // shaders that went through a compiler
  double codeBytes = 0;      // of all variants; 0: not known
  double heapBytes = 0;      // that the process holds more than before
};

// As numbers in a row, for a pipe, and back; false if they are none.
std::vector<double> toNumbers(const Pass &pass);
bool fromNumbers(const std::vector<double> &numbers, Pass &pass);

} // namespace dovetail
