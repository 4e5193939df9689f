// SPDX-License-Identifier: MIT
//
// State files: a PipelineState as JSON with Vulkan's names.
#pragma once

#include "src/base/error.h"
#include "src/state/pipeline_state.h"
#include <string>
#include <string_view>

namespace dovetail {

// Reads a state file. What the file does not name stays as it is in `base`; a list that it names replaces the whole
// list. Errors: Io; InvalidInput naming the place in the file ("/colorTargets/0/format") and what was expected there.
Result<PipelineState> readStateFile(const std::string &path, const PipelineState &base);

// The same from text; `name` is what Errors call it.
Result<PipelineState> parseState(std::string_view text, const std::string &name, const PipelineState &base);

// The state as a state file that parseState() reads back to the same state.
std::string printState(const PipelineState &state);

} // namespace dovetail
