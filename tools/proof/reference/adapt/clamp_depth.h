// SPDX-License-Identifier: MIT
//
// lavapipe tests and stores the depth of a fragment shader unclamped, even outside of 0 to 1. There, Vulkan leaves it
// undefined (without VK_EXT_depth_range_unrestricted), and hardware clamps it.
#pragma once

#include <cstdint>
#include <vector>

namespace dovetail {

// Clamps the values that are stored to FragDepth to 0 to 1.
std::vector<uint32_t> withClampedDepth(const std::vector<uint32_t> &words);

} // namespace dovetail
