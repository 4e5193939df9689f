// SPDX-License-Identifier: MIT
//
// Makes a failing shader minimal by itself: takes small programs, statements and expressions away for as long as it
// fails in the same way. What becomes undefined on the way is refused by the interpreter, so a reduced program is as
// valid as a whole one.
#pragma once

#include "tools/programs/random-programs/check.h"

namespace dovetail::random_programs {

struct ReduceOptions {
  unsigned jobs = 2;
  std::chrono::seconds limit{120};
  std::chrono::milliseconds timeout{30'000}; // of one check
  // What fails; check() if it is empty. Called in child processes.
  std::function<Finding(const Shader &)> check;
};

struct Reduction {
  Shader shader;
  Finding finding; // of the reduced shader
  unsigned checks = 0;
};

Reduction reduce(const Shader &shader, const Finding &finding, const ReduceOptions &options = {});

// All ways to make a shader smaller by one step, in the order in which they are tried. Gives false behind the last.
bool applyEdit(Shader &shader, unsigned stage, size_t number);
constexpr unsigned EditStageCount = 5;

} // namespace dovetail::random_programs
