// SPDX-License-Identifier: MIT
//
// The ways to a program's variants, and the cost of a way.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace dovetail {

enum class Way : uint8_t {
  Parts,      // joined from parts, each made once
  Optimized,  // like Parts, and recompiled as a whole in the background
  Stored,     // like Parts, but the parts are already on disk
  Archived,   // like Parts, but the parts are in an archive, and there is no store
  Monolithic, // every variant compiled as a whole
  RadvLinked, // RADV's pipeline libraries, fast link
  RadvAco,    // RADV, every pipeline compiled as a whole
  RadvLlvm,
  RadvCached, // like RadvAco, but all pipelines are already in RADV's disk cache
};
constexpr unsigned WayCount = unsigned(Way::RadvCached) + 1;
constexpr std::array<Way, WayCount> AllWays = {Way::Parts,      Way::Optimized,  Way::Stored,
                                               Way::Archived,   Way::Monolithic, Way::RadvLinked,
                                               Way::RadvCached, Way::RadvAco,    Way::RadvLlvm};

// The way's name in reports.
std::string_view toString(Way way);
// The way's name in JSON, one word.
std::string_view toWord(Way way);
constexpr bool isRadv(Way way) {
  return way >= Way::RadvLinked;
}

// The cost of all variants of one program, made once. Times are µs.
struct Pass {
  std::vector<double>
      ready; // wall time from the draw that asks for a variant until it is there, in the order of the states
  double wall = 0, cpu = 0; // of the whole pass, background included
  double variants = 0;      // different variants; RADV makes a pipeline for each state
  double compiles = 0;      // shaders that a compiler compiled
  double codeBytes = 0;     // of all variants; 0: unknown
  double heapBytes = 0;     // by which the process's heap has grown
};

// Numbers in a row, for a pipe, and back. fromNumbers() returns false if they are no Pass.
std::vector<double> toNumbers(const Pass &pass);
bool fromNumbers(const std::vector<double> &numbers, Pass &pass);

} // namespace dovetail
