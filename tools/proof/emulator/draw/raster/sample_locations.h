// SPDX-License-Identifier: MIT
//
// Where the samples of a pixel lie: Vulkan's standard sample locations, in sixteenths of a pixel from its upper left
// corner.
// Source: the Vulkan specification, "Standard sample locations"; Mesa's radv_emit_default_sample_locations programs the
// same.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace dovetail::emulator {

struct SampleLocation {
  uint8_t x, y;
};

constexpr unsigned MaxSamples = 8;

// Empty for counts other than 1, 2, 4 and 8, which are not modelled.
inline std::span<const SampleLocation> standardSampleLocations(unsigned samples) {
  static constexpr SampleLocation One[] = {{8, 8}};
  static constexpr SampleLocation Two[] = {{12, 12}, {4, 4}};
  static constexpr SampleLocation Four[] = {{6, 2}, {14, 6}, {2, 10}, {10, 14}};
  static constexpr SampleLocation Eight[] = {{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}};
  switch (samples) {
  case 1:
    return One;
  case 2:
    return Two;
  case 4:
    return Four;
  case 8:
    return Eight;
  default:
    return {};
  }
}

inline std::span<const SampleLocation> centeredSampleLocations(unsigned samples) {
  static constexpr SampleLocation Locations[MaxSamples] = {{8, 8}, {8, 8}, {8, 8}, {8, 8},
                                                           {8, 8}, {8, 8}, {8, 8}, {8, 8}};
  return std::span(Locations).first(samples);
}

} // namespace dovetail::emulator
