// SPDX-License-Identifier: MIT
//
// Measures how much the optimised variant of a pipeline saves, program by program, and prints a table.
#pragma once

#include "tools/common/pipelines/draw_case.h"
#include "variants/optimize/program_cost.h"
#include <string>
#include <vector>

namespace dovetail {

struct CodeGain {
  std::string name;
  std::string rejection;                      // why there is no optimised variant; empty: there is one
  std::vector<ProgramCost> joined, optimized; // program by program; equal if there is no optimised variant
  // The fewest parameters with which the optimised pixel shader could do, of those that the joined variant exports.
  uint32_t leastParameters = 0;
};

// Builds both variants. Errors: those of Device::bind() and buildOptimizedVariant().
Result<CodeGain> measureGain(Device &device, const DrawCase &drawCase, const std::string &name);

// Prints a line for each program, sums for each hardware stage, and how many programs are better, equal or worse.
std::string printGains(const std::vector<CodeGain> &gains);

} // namespace dovetail
