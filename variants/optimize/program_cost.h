// SPDX-License-Identifier: MIT
//
// The cost of a hardware program of a finished image, for comparing two variants of the same shaders.
#pragma once

#include "merge/image.h"
#include <string>
#include <vector>

namespace dovetail {

// The cost of a parameter in addition to its export instruction, in instructions. This is a choice, because there is no
// hardware here to measure. The 1024 bytes of a wave go over a bus that all SIMDs of a shader engine share, then into
// the parameter cache and, three vertices for each primitive, into the LDS of pixel waves. An instruction takes four
// cycles of one SIMD. Putting the eight halves of a parameter together takes four to eight instructions; a saved
// parameter should be worth that.
constexpr uint32_t StepsOfParameter = 16;

struct ProgramCost {
  HardwareStage stage = HardwareStage::Vs;
  uint32_t instructions = 0; // including the s_nops that resolve hazards between its parts
  uint32_t vgprs = 0;        // as used, not rounded up to the hardware's granule
  uint32_t scratchBytes = 0; // for each lane
  uint32_t parameters = 0;   // for each vertex: exports to the fragment shader, in units of four dwords

  // Instructions, plus the additional cost of parameters.
  uint32_t steps() const { return instructions + parameters * StepsOfParameter; }

  bool operator==(const ProgramCost &) const = default;
};

// Whether a program needs more of anything; more instructions count only if they cost more than the parameters that
// they save.
bool needsMore(const ProgramCost &cost, const ProgramCost &than);

// In the order of the image's programs.
std::vector<ProgramCost> programCosts(const Image &image);

// In words: the first program of `second` that needs more than the same program of `first`; empty if there is none.
// Both are images of the same shaders on the same GPU.
std::string describeLoss(const Image &first, const Image &second);

} // namespace dovetail
