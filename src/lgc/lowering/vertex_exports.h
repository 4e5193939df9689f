// SPDX-License-Identifier: MIT
//
// The exports of a vertex that goes to the rasteriser. Its values are a vertex or evaluation shader's outputs, or come
// from memory, where a copy shader reads them.
//
//   pos0      position; (0, 0, 0, 1) if there is none
//   pos1      point size, edge flag (none), layer and viewport index: GFX9 layer [10:0] | viewport index [19:16] in z,
//             GFX8 layer in z, viewport index in w
//   pos next  clip distances, then cull distances, without a gap
//   param     generic locations in ascending order, then the built-ins that fragment shaders can read; only written
//             components
//
// Outputs that the knowledge says are dropped are left out: param for the fragment shader, the rest for the fixed
// function. `done` is on the last position export.
#pragma once

#include "src/abi/interface/shader_interface.h"
#include "src/abi/target_info.h"
#include "src/base/error.h"
#include "src/lgc/lowering/output_values.h"
#include "src/lgc/state/inter_shader_data.h"

namespace lgc {

// Exports the outputs that `usage` lists as written, and fills in the interface's exports. primitiveId (i32), if given,
// takes the place of the output of that kind.
dovetail::Result<void> exportVertex(llvm::IRBuilderBase &builder, const dovetail::TargetInfo &target,
                                    const ResourceUsage &usage, OutputReader valueOf, llvm::Value *primitiveId,
                                    const InterShaderData &others, dovetail::PreRasterInterface &interface);

} // namespace lgc
