// SPDX-License-Identifier: MIT
//
// RADV in a process of its own: it reads its environment once, and some shaders stop its process.
#pragma once

#include "tools/proof/radv/radv_pipelines.h"
#include <span>

namespace dovetail {

// RADV's pipeline for these shaders and this state on a GPU of this family (Mesa's name). Errors: Unsupported with
// RADV's reason if it is not installed or refuses; Io if its process crashed.
Result<RadvPipeline> compileWithRadv(RadvBackend backend, const std::string &family, const ShaderSet &shaders,
                                     const PipelineState &state);

// The register values that RADV writes for shaders that it compiled apart, and for shaders that it has linked.
struct RecordedRegisters {
  RecordedDraws apart, linked;
};

// The registers for a draw or dispatch on a GPU of this family (Mesa's name), state by state. Errors are those of
// compileWithRadv(), each in the place of its state.
std::vector<Result<RecordedRegisters>> recordWithRadv(const std::string &family, const ShaderSet &shaders,
                                                      std::span<const PipelineState> states);

} // namespace dovetail
