// SPDX-License-Identifier: MIT
#pragma once

#include "src/lgc/state/shader_modes.h"
#include "src/spirv/module/environment.h"
#include "src/spirv/module/specialize.h"
#include <string>
#include <vector>

namespace dovetail::spirv {

struct TranslateOptions {
  std::string entryPoint = "main";
  lgc::ShaderStage stage = lgc::ShaderStage::Vertex;
  std::vector<SpecConstant> specConstants; // ids that the module does not have are ignored, as in Vulkan
  bool layeredInputAttachments = false;    // MainPartState's
  Environment environment = Environment::Vulkan;
  bool sourceLines = false; // makes LLVM's debug locations, if the module has lines (source_places.h)
};

} // namespace dovetail::spirv
