// SPDX-License-Identifier: MIT
//
// Structures in Vulkan have no textures or images; structures in OpenGL's default block may have them.
#pragma once

#include <cstdint>
#include <vector>

namespace dovetail {

// Takes the textures and images out of such structures of OpenGL's SPIR-V. Each becomes a variable: an array with one
// element for each combination of indices of the arrays around it (at least one). Its location is that of the first
// element. Functions are inlined if there are any.
std::vector<uint32_t> withTexturesLifted(const std::vector<uint32_t> &words);

} // namespace dovetail
