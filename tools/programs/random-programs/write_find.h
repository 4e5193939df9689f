// SPDX-License-Identifier: MIT
//
// A find as files: the reduced shader as SPIR-V assembly and what it reads as a state file, as `dovetail draw` takes
// them, and a README with what is wrong.
#pragma once

#include "tools/programs/random-programs/reduce.h"

namespace dovetail::random_programs {

struct Find {
  uint64_t seed = 0;
  Finding whole; // of the shader as it was generated
  Reduction reduction;
  std::string others; // askOthers() of the reduced shader
};

// What finds of one kind have in common: how it fails, the GPU, and the operations and statements that are left.
std::string kindOf(const Find &find);

// Writes into a folder of its own in `folder`, whose path is given back. Errors: Io.
Result<std::string> writeFind(const std::string &folder, const Find &find);

} // namespace dovetail::random_programs
