// SPDX-License-Identifier: MIT
//
// Makes random shaders of random small programs, all defined.
#pragma once

#include "tools/programs/random-programs/program/program.h"
#include <optional>

namespace dovetail::random_programs {

struct GeneratorOptions {
  uint64_t seed = 1;
  uint32_t programs = 24;     // small programs in a shader
  std::optional<Stage> stage; // Compute, Fragment, or Vertex for a chain; nullopt: mostly compute
  std::string profile;        // of all small programs; "": a mixture
};

// The names of profiles; a profile says what most of a small program consists of.
const std::vector<std::string> &profileNames();

Shader generate(const GeneratorOptions &options);

// Replaces expressions and statements that the interpreter refuses, until it accepts all.
void repair(Shader &shader);

} // namespace dovetail::random_programs
