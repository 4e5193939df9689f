// SPDX-License-Identifier: MIT
//
// OpenGL's SPIR-V as Vulkan's, which is all that lavapipe takes. This is a second statement of what docs/opengl.md says
// of sets, bindings, the default block and coordinates, without any code of the library's.
#pragma once

#include <cstdint>
#include <vector>
#include <vulkan/vulkan_core.h>

namespace dovetail {

// height: of the framebuffer, whose first row is its highest. `words` is valid SPIR-V; what is not understood stays.
std::vector<uint32_t> fromOpenGl(const std::vector<uint32_t> &words, VkShaderStageFlagBits stage, uint32_t height);

} // namespace dovetail
