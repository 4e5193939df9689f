// SPDX-License-Identifier: MIT
//
// Writes a find as files: the reduced shader as SPIR-V assembly and its data as a state file, for `dovetail draw`, and
// a README that describes the failure.
#pragma once

#include "tools/programs/random-programs/reduce.h"

namespace dovetail::random_programs {

struct Find {
  uint64_t seed = 0;
  Finding whole; // for the generated shader
  Reduction reduction;
  std::string others; // the answer of askOthers() for the reduced shader
};

// A text that is equal for finds of one kind: the kind of failure, the GPU, and the operations and statements that are
// left.
std::string kindOf(const Find &find);

// Writes the find into a new folder in `folder`, and returns its path. Errors: Io.
Result<std::string> writeFind(const std::string &folder, const Find &find);

} // namespace dovetail::random_programs
