// SPDX-License-Identifier: MIT
//
// lavapipe tests and keeps the depth that a fragment shader writes as it is, also outside of 0 to 1, where Vulkan
// leaves it undefined (without VK_EXT_depth_range_unrestricted) and hardware clamps it.
#pragma once

#include <cstdint>
#include <vector>

namespace dovetail {

// What is stored to FragDepth is clamped to 0 to 1.
std::vector<uint32_t> withClampedDepth(const std::vector<uint32_t> &words);

} // namespace dovetail
