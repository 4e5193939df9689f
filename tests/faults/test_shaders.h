// SPDX-License-Identifier: MIT
//
// Programs and states whose variants share parts.
#pragma once

#include "src/state/pipeline_state.h"
#include "variants/shader.h"
#include <vector>

namespace dovetail::faults {

// Some programs of tests/shaders, cheap ones first. Errors: Io, those of the front end.
Result<std::vector<ShaderSet>> testShaderSets(size_t maxCount);

// One of 96 states for a program, by number: ways to lay out its attributes times ways to write its colours.
constexpr uint64_t TestStateCount = 96;
PipelineState testState(const ShaderSet &set, uint64_t number);

} // namespace dovetail::faults
