// SPDX-License-Identifier: MIT
//
// Makes a failing shader small automatically: removes small programs, statements and expressions as long as the shader
// fails in the same way. The interpreter refuses candidates that have become undefined, so a reduced program is as
// valid as the whole one.
#pragma once

#include "tools/programs/random-programs/check.h"

namespace dovetail::random_programs {

struct ReduceOptions {
  unsigned jobs = 2;
  std::chrono::seconds limit{120};
  std::chrono::milliseconds timeout{30'000}; // for one check
  // Tests a candidate; if it is empty, check() does. Called in child processes.
  std::function<Finding(const Shader &)> check;
};

struct Reduction {
  Shader shader;
  Finding finding; // of the reduced shader
  unsigned checks = 0;
};

Reduction reduce(const Shader &shader, const Finding &finding, const ReduceOptions &options = {});

// Applies edit `number`: all ways to make a shader smaller by one step, in the order in which they are tried. Returns
// false beyond the last.
bool applyEdit(Shader &shader, unsigned stage, size_t number);
constexpr unsigned EditStageCount = 5;

} // namespace dovetail::random_programs
