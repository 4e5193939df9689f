// SPDX-License-Identifier: MIT
//
// Converts PipelineState to and from C's struct.
#pragma once

#include "src/state/pipeline_state.h"
#include "variants/c_api/convert/failure.h"
#include <span>

namespace dovetail::c_api {

// The same as DOVETAIL_PIPELINE_STATE_INIT.
dovetail_pipeline_state defaultPipelineState();

// Errors: DOVETAIL_BAD_ARGUMENT for values that their enumerations do not have, and for bindings and attributes that
// contradict each other. `name`: the struct's name in messages.
Outcome<PipelineState> toPipelineState(const dovetail_pipeline_state &given, const char *name);

// The result points to the given arrays: those of toVertexBindings() and toVertexAttributes().
dovetail_pipeline_state fromPipelineState(const PipelineState &state,
                                          std::span<const dovetail_vertex_binding> vertexBindings,
                                          std::span<const dovetail_vertex_attribute> vertexAttributes);

std::vector<dovetail_vertex_binding> toVertexBindings(const PipelineState &state);
std::vector<dovetail_vertex_attribute> toVertexAttributes(const PipelineState &state);

} // namespace dovetail::c_api
