// SPDX-License-Identifier: MIT
//
// What a hardware program of a finished image costs, so that two variants of the same shaders can be compared.
#pragma once

#include "merge/image.h"
#include <string>
#include <vector>

namespace dovetail {

struct ProgramCost {
  HardwareStage stage = HardwareStage::Vs;
  uint32_t instructions = 0; // those that resolve hazards between its parts included
  uint32_t vgprs = 0;        // as they are used, not rounded up to what the hardware allocates
  uint32_t scratchBytes = 0; // of a lane
  uint32_t parameters = 0;   // of a vertex: what is exported to the fragment shader, in units of four dwords

  bool operator==(const ProgramCost &) const = default;
};

// Of anything.
bool needsMore(const ProgramCost &cost, const ProgramCost &than);

// In the order of the image's programs.
std::vector<ProgramCost> programCosts(const Image &image);

// The first program of `second` that needs more instructions, VGPRs, scratch memory or parameters than the program of
// `first` in its place, in words; empty if there is none. Both are images of the same shaders on the same GPU.
std::string describeLoss(const Image &first, const Image &second);

} // namespace dovetail
