// SPDX-License-Identifier: MIT
//
// What the optimised variant of a pipeline saves, program by program, and the table of it.
#pragma once

#include "tools/common/pipelines/draw_case.h"
#include "variants/optimize/program_cost.h"
#include <string>
#include <vector>

namespace dovetail {

struct CodeGain {
  std::string name;
  std::string rejection;                      // why there is no optimised variant, in words; empty: there is one
  std::vector<ProgramCost> joined, optimized; // program by program; the same if there is none
  // As few parameters as the optimised pixel shader could do with, of what the joined variant exports.
  uint32_t leastParameters = 0;
};

// Builds both variants. Errors: those of Device::bind() and buildOptimizedVariant().
Result<CodeGain> measureGain(Device &device, const DrawCase &drawCase, const std::string &name);

// A line for each program, sums for each hardware stage, and how many programs are better, equal or worse.
std::string printGains(const std::vector<CodeGain> &gains);

} // namespace dovetail
