// SPDX-License-Identifier: MIT
//
// Measures one compile in a process of its own.
#pragma once

#include "tools/bench/compile-growth/family.h"
#include <chrono>
#include <optional>

namespace dovetail {

struct GrowthFigure {
  enum class Status { Compiled, Refused, Crashed, TimedOut };
  Status status = Status::Compiled;
  std::string reason;      // of every status but Compiled
  double seconds = 0;      // user CPU time from the SPIR-V to a checked image
  double instructions = 0; // executed in that time; 0: they cannot be counted
  double megabytes = 0;    // peak memory, beyond what the process had before
  size_t words = 0;        // of SPIR-V
  size_t codeBytes = 0;
};

// Before it measures, the process compiles a small shader. Errors: those that stop this process too, such as an unknown
// GPU.
Result<GrowthFigure> measureGrowth(const Family &family, unsigned size, const std::string &gpu,
                                   std::chrono::milliseconds timeout);

} // namespace dovetail
