// SPDX-License-Identifier: MIT
//
// Reads the programs of a RADV pipeline as the hardware would run them: machine code, stages, user SGPRs.
#pragma once

#include "src/abi/hardware_stage.h"
#include "tools/proof/radv/radv_listing.h"
#include "tools/proof/radv/radv_user_data.h"
#include "variants/shader.h"
#include <map>
#include <string>
#include <vulkan/vulkan_core.h>

namespace dovetail {

struct RadvProgram {
  HardwareStage stage = HardwareStage::Vs;
  bool isMerged = false;         // an LS-HS or ES-GS program
  VkShaderStageFlags stages = 0; // the stages of which it was made; a copy shader is made of a geometry shader
  std::map<std::string, std::string> texts; // "NIR Shader(s)", "ACO IR" or "LLVM IR", "Assembly"
  std::vector<uint8_t> bytes;               // instructions and the constants behind them
  size_t codeBytes = 0;                     // instructions alone
  uint64_t scratchBytesOfWave = 0;
  RadvListing listing;
  std::vector<RadvUserSgpr> userSgprs;
};

// Whether the last stage in front of the rasteriser declares transform feedback.
bool capturesVertices(const ShaderSet &shaders);

// The pipeline must exist, be created with VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR and
// VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR, and be recorded with marked values (RadvRecorder).
// Errors: Unsupported if RADV gives too few facts; CheckFailed if its code is not found.
Result<std::vector<RadvProgram>> readPrograms(VkDevice device, VkPipeline pipeline, const ShaderSet &shaders,
                                              const RegisterValues &recorded);

} // namespace dovetail
