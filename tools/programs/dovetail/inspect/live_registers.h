// SPDX-License-Identifier: MIT
//
// How many registers hold something that is still wanted, before each instruction of a finished image.
#pragma once

#include "merge/image.h"
#include <map>

namespace dovetail {

struct LiveCount {
  unsigned vgprs = 0;
  unsigned sgprs = 0; // numbered ones
};

// By offset in the image; only instructions that can be reached. A VGPR that is written while lanes are turned off may
// still hold what those lanes want, so such a write begins nothing: where it cannot be told that all lanes that began
// are on, the count may be too high, and never too low.
std::map<uint32_t, LiveCount> countLiveRegisters(const Image &image);

} // namespace dovetail
