// SPDX-License-Identifier: MIT
//
// Judges a storm: its variants are compared with those of a device that has one thread, no optimiser and enough memory,
// and what was counted must add up.
#pragma once

#include "tests/storm/storm.h"

namespace dovetail::storm {

struct JudgeOptions {
  size_t optimizedBuilds = 40; // how many optimised variants are built anew; the others' bytes are not compared
  size_t drawings = 40;        // how many of these are drawn in the emulator
  unsigned threads = 2;        // that check images and draw
};

struct Verdict {
  std::string what;
  bool holds = false;
  std::string details; // what was found, also if it holds
};

// Errors: those of building and drawing.
Result<std::vector<Verdict>> judge(const std::vector<ProgramOfStates> &programs, const StormOptions &options,
                                   const StormReport &report, const JudgeOptions &judgeOptions);

} // namespace dovetail::storm
