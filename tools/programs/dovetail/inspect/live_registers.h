// SPDX-License-Identifier: MIT
//
// Counts the live registers before each instruction of a finished image.
#pragma once

#include "merge/image.h"
#include <map>

namespace dovetail {

struct LiveCount {
  unsigned vgprs = 0;
  unsigned sgprs = 0; // only numbered SGPRs
};

// By offset in the image, for reachable instructions. A VGPR that is written while some lanes are off may still hold
// values of those lanes. So such a write does not end its earlier life. Where it is unknown whether all lanes are on,
// the count may be too high, never too low.
std::map<uint32_t, LiveCount> countLiveRegisters(const Image &image);

} // namespace dovetail
