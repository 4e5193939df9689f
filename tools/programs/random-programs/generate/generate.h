// SPDX-License-Identifier: MIT
//
// Makes random shaders of random small programs, all defined.
#pragma once

#include "tools/programs/random-programs/program/program.h"
#include <optional>

namespace dovetail::random_programs {

struct GeneratorOptions {
  uint64_t seed = 1;
  uint32_t programs = 24;     // small ones in a shader
  std::optional<Stage> stage; // Compute, Fragment, or Vertex for a chain; otherwise mostly compute
  std::string profile;        // of all small programs; "": a mixture
};

// The names of profiles, which say what a small program is mostly made of.
const std::vector<std::string> &profileNames();

Shader generate(const GeneratorOptions &options);

// Replaces what the interpreter refuses until it refuses nothing.
void repair(Shader &shader);

} // namespace dovetail::random_programs
