// SPDX-License-Identifier: MIT
//
// One compile, in a process of its own.
#pragma once

#include "tools/bench/compile-growth/family.h"
#include <chrono>
#include <optional>

namespace dovetail {

struct GrowthFigure {
  enum class Status { Compiled, Refused, Crashed, TimedOut };
  Status status = Status::Compiled;
  std::string reason;      // of all but Compiled
  double seconds = 0;      // user CPU time from the SPIR-V to a checked image
  double instructions = 0; // that were executed in it; 0: they cannot be counted
  double megabytes = 0;    // of memory at the peak, beyond what the process had before
  size_t words = 0;        // of SPIR-V
  size_t codeBytes = 0;
};

// The process has compiled a small shader before. Errors: what stops this process too, as an unknown GPU.
Result<GrowthFigure> measureGrowth(const Family &family, unsigned size, const std::string &gpu,
                                   std::chrono::milliseconds timeout);

} // namespace dovetail
