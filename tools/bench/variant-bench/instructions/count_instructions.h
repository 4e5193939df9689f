// SPDX-License-Identifier: MIT
//
// Counts the instructions of compiles: ours, phase by phase, and beside them ACO's for the same SPIR-V. Unlike time,
// the counts are the same in every run, whatever else the machine does.
#pragma once

#include "tools/bench/variant-bench/instructions/counter.h"
#include "tools/bench/variant-bench/instructions/counting_process.h"
#include "tools/bench/variant-bench/instructions/program_counts.h"

namespace dovetail {

struct InstructionOptions {
  std::vector<std::string> paths; // empty: the benchmark's own programs
  std::string gpu = "gfx900";
  CounterKind counter = CounterKind::Callgrind;
  bool radv = true;
};

struct InstructionResults {
  std::vector<ProgramCounts> programs; // those that were counted
  std::vector<std::string> failures;   // a line each
  std::string noRadv;                  // why RADV is missing; empty: it is not
};

// Starts this tool again, once for each side, as a process that counts. Errors: those of readBenchPrograms() and
// checkCounter(); UnknownGpu; Io; Unsupported if our side does not count.
Result<InstructionResults> countInstructions(const InstructionOptions &options);

// With these options, this tool is a process that counts. Their arguments are a side, and the folder of the marks.
constexpr const char *CountSideOption = "--count-side";
constexpr const char *MarksFolderOption = "--marks-folder";

} // namespace dovetail
