// SPDX-License-Identifier: MIT
//
// RADV in a process of its own: it reads its environment once, and some shaders stop its process.
#pragma once

#include "tools/radv/radv_pipelines.h"

namespace dovetail {

// What RADV makes of these shaders and this state. Errors: Unsupported with RADV's reason if it is not installed or
// refuses; Io if its process crashed.
Result<std::vector<RadvExecutable>> compileWithRadv(RadvBackend backend, const ShaderSet &shaders,
                                                    const PipelineState &state);

} // namespace dovetail
