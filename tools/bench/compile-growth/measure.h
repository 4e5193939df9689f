// SPDX-License-Identifier: MIT
//
// Measures one compile in a process of its own.
#pragma once

#include "parts/code_tier.h"
#include "tools/bench/compile-growth/family.h"
#include <chrono>
#include <optional>

namespace dovetail {

struct GrowthFigure {
  enum class Status { Compiled, Refused, Crashed, TimedOut, LlvmMade };
  Status status = Status::Compiled;
  std::string reason;          // of every status but Compiled; LlvmMade: why first code refused the shader
  double seconds = 0;          // CPU time from the SPIR-V to a checked image, for LLVM's code without the system's part
  double validatorSeconds = 0; // of these, CPU time that SPIRV-Tools' validator took
  double instructions = 0;     // executed in that time; 0: they cannot be counted
  double megabytes = 0;        // peak memory, beyond what the process had before
  size_t words = 0;            // of SPIR-V
  size_t codeBytes = 0;
};

struct GrowthSubject {
  std::string gpu;
  CodeTier tier = CodeTier::Llvm; // of the main parts
};

// Before it measures, the process compiles a small shader. Errors: those that stop this process too, such as an unknown
// GPU.
Result<GrowthFigure> measureGrowth(const Family &family, unsigned size, const GrowthSubject &subject,
                                   std::chrono::milliseconds timeout);

} // namespace dovetail
