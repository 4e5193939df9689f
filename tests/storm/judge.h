// SPDX-License-Identifier: MIT
//
// Judges a storm: compares its variants with those of a device that has one thread, no optimiser and enough memory, and
// checks that its counts add up.
#pragma once

#include "tests/storm/storm.h"

namespace dovetail::storm {

struct JudgeOptions {
  size_t optimizedBuilds = 40; // number of optimised variants that are built anew; the others' bytes are not compared
  size_t drawings = 40;        // number of these that are drawn in the emulator
  unsigned threads = 2;        // threads that check images
};

struct Verdict {
  std::string what;
  bool holds = false;
  std::string details; // the findings, also if it holds
};

// Errors: those of building and drawing.
Result<std::vector<Verdict>> judge(const std::vector<ProgramOfStates> &programs, const StormOptions &options,
                                   const StormReport &report, const JudgeOptions &judgeOptions);

} // namespace dovetail::storm
