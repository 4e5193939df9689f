// SPDX-License-Identifier: MIT
//
// A program for each capability that is implemented: GLSL, or SPIR-V assembly where glslang has no words for it.
#pragma once

#include "src/lgc/state/shader_modes.h"
#include "src/spirv/module/environment.h"
#include <string>
#include <string_view>
#include <vector>

namespace dovetail::test {

struct CapabilityShader {
  lgc::ShaderStage stage;
  std::string text; // GLSL, or assembly if it begins with "OpCapability"
  spirv::Environment environment = spirv::Environment::Vulkan;
};

struct CapabilityProgram {
  std::string_view capability;
  std::vector<CapabilityShader> shaders;
  // glslang leaves the capability out, because others imply it or because it is an extension's older name for one of
  // theirs. It is added to the last shader, with this extension if it is not empty.
  bool isAdded = false;
  std::string_view extension = {};
  bool isOfGfx9 = false; // GFX8 refuses it
};

const std::vector<CapabilityProgram> &capabilityPrograms();

} // namespace dovetail::test
