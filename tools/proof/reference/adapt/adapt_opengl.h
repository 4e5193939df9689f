// SPDX-License-Identifier: MIT
//
// Turns OpenGL's SPIR-V into Vulkan's, because lavapipe takes only that. This is a second implementation of
// docs/opengl.md's rules for sets, bindings, the default block and coordinates, without any code of the library.
#pragma once

#include <cstdint>
#include <vector>
#include <vulkan/vulkan_core.h>

namespace dovetail {

// height: the framebuffer's; its first row is the highest. `words` must be valid SPIR-V. Parts that are not understood
// stay.
std::vector<uint32_t> fromOpenGl(const std::vector<uint32_t> &words, VkShaderStageFlagBits stage, uint32_t height);

} // namespace dovetail
