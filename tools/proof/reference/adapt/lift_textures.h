// SPDX-License-Identifier: MIT
//
// Structures of Vulkan have no textures or images, those of OpenGL's default block may.
#pragma once

#include <cstdint>
#include <vector>

namespace dovetail {

// OpenGL's SPIR-V, in which such structures have lost their textures and images. Each of these is a variable: an array
// of as many elements as there are in all arrays around it, or of one, with the location that the first one had.
// Functions are inlined if there are any.
std::vector<uint32_t> withTexturesLifted(const std::vector<uint32_t> &words);

} // namespace dovetail
