// SPDX-License-Identifier: MIT
//
// State files: a PipelineState as JSON with Vulkan's names.
#pragma once

#include "src/base/error.h"
#include "src/state/pipeline_state.h"
#include <string>
#include <string_view>

namespace dovetail {

// Reads a state file. Members that the file lacks keep the value of `base`; a list in the file replaces the whole list.
// Errors: Io; InvalidInput naming the place in the file ("/colorTargets/0/format") and what was expected there.
Result<PipelineState> readStateFile(const std::string &path, const PipelineState &base);

// Does the same from text; `name` is the name in Errors.
Result<PipelineState> parseState(std::string_view text, const std::string &name, const PipelineState &base);

// The text of a state file from which parseState() reads the same state.
std::string printState(const PipelineState &state);

} // namespace dovetail
