// SPDX-License-Identifier: MIT
//
// Own shaders often give all edges of a patch the same tessellation level, so that nobody could tell if two levels were
// exchanged.
#pragma once

#include <cstdint>
#include <vector>

namespace dovetail::mutations {

// A control shader whose levels are larger by 1.25 times the number of their edge.
std::vector<uint32_t> withDistinctLevels(const std::vector<uint32_t> &words);

} // namespace dovetail::mutations
