// SPDX-License-Identifier: MIT
//
// Reads RADV's figures about the code of a pipeline's programs.
#pragma once

#include "src/abi/hardware_stage.h"
#include "src/base/error.h"
#include <vector>
#include <vulkan/vulkan_core.h>

namespace dovetail {

struct RadvCost {
  HardwareStage stage = HardwareStage::Vs;
  uint64_t instructions = 0, codeBytes = 0, vgprs = 0, sgprs = 0;
};

// The pipeline must exist and be created as readPrograms() needs it. A library has the programs that were compiled for
// it. Errors: Unsupported if RADV gives too few figures.
Result<std::vector<RadvCost>> readCosts(VkDevice device, VkPipeline pipeline);

} // namespace dovetail
