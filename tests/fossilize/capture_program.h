// SPDX-License-Identifier: MIT
//
// Programs as an application would give them to Vulkan, for tests of captures.
#pragma once

#include "tools/common/fossilize/capture.h"
#include "variants/shader.h"
#include <map>

namespace dovetail {

// Shaders with the Vulkan layouts that an application would give them, made from reflection.
struct CapturedProgram {
  explicit CapturedProgram(const std::vector<ShaderRef> &shaders);

  // The pipeline of this program under this state, as a layer adds it to a capture.
  fossilize::CapturedPipeline capture(const PipelineState &state) const;

  std::vector<fossilize::DescriptorSetLayout> layouts; // by set
  uint32_t pushConstantBytes = 0;
  ShaderSet shaders; // with the root table that belongs to these layouts
};

// Vertex and fragment shader that read an attribute, a uniform block, an image with a sampler, and push constants, and
// have a specialisation constant each.
std::vector<ShaderRef> simpleShaders();
ShaderRef simpleComputeShader();

} // namespace dovetail
