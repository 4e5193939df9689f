// SPDX-License-Identifier: MIT
//
// What a hardware program of a finished image costs, so that two variants of the same shaders can be compared.
#pragma once

#include "merge/image.h"
#include <string>
#include <vector>

namespace dovetail {

// What a parameter costs beside its export instruction, in instructions. A choice, since there is no hardware here to
// measure: the 1024 bytes of a wave go over a bus that all SIMDs of a shader engine share, then into the parameter
// cache and, three vertices for each primitive, into the LDS of pixel waves, while an instruction takes four cycles of
// one SIMD. Putting the eight halves of a parameter together takes four to eight instructions, which this is to be
// worth.
constexpr uint32_t StepsOfParameter = 16;

struct ProgramCost {
  HardwareStage stage = HardwareStage::Vs;
  uint32_t instructions = 0; // those that resolve hazards between its parts included
  uint32_t vgprs = 0;        // as they are used, not rounded up to what the hardware allocates
  uint32_t scratchBytes = 0; // of a lane
  uint32_t parameters = 0;   // of a vertex: what is exported to the fragment shader, in units of four dwords

  // Instructions, and what parameters cost beyond theirs.
  uint32_t steps() const { return instructions + parameters * StepsOfParameter; }

  bool operator==(const ProgramCost &) const = default;
};

// Of anything; more instructions only if they are worth the parameters that are spared.
bool needsMore(const ProgramCost &cost, const ProgramCost &than);

// In the order of the image's programs.
std::vector<ProgramCost> programCosts(const Image &image);

// The first program of `second` that needs more than the program of `first` in its place, in words; empty if there is
// none. Both are images of the same shaders on the same GPU.
std::string describeLoss(const Image &first, const Image &second);

} // namespace dovetail
