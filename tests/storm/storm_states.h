// SPDX-License-Identifier: MIT
//
// The input of the storm: programs of tests/shaders, of all stages. Each program has states that differ for its very
// shaders.
#pragma once

#include "src/base/hash.h"
#include "src/state/pipeline_state.h"
#include "variants/shader.h"
#include <string>
#include <vector>

namespace dovetail::storm {

struct ProgramOfStates {
  std::string name;
  ShaderSet shaders;
  std::vector<PipelineState> states;
};

// `count` states in all, spread over 20 programs; no two of a program's have the same canonical form. The same seed
// gives the same. Errors: those of reading the shaders; InvalidInput if the shaders do not have so many states.
Result<std::vector<ProgramOfStates>> makeProgramsOfStates(size_t count, uint64_t seed);

} // namespace dovetail::storm
