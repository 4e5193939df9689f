// SPDX-License-Identifier: MIT
//
// The exports of a vertex that goes to the rasteriser, wherever its values come from: a vertex or evaluation shader's
// outputs, or what a copy shader reads from memory.
//
//   pos0      position; (0, 0, 0, 1) if there is none
//   pos1      point size, edge flag (none), layer and viewport index: GFX9 layer [10:0] | viewport index [19:16] in z,
//             GFX8 layer in z, viewport index in w
//   pos next  clip distances, then cull distances, without a gap
//   param     generic locations in ascending order, then the built-ins that fragment shaders can read; only written
//             components
//
// What the knowledge says is dropped is left out: param for the fragment shader, the rest for the fixed function.
// `done` is on the last position export.
#pragma once

#include "src/abi/interface/shader_interface.h"
#include "src/abi/target_info.h"
#include "src/base/error.h"
#include "src/lgc/lowering/output_values.h"
#include "src/lgc/state/inter_shader_data.h"

namespace lgc {

// Exports what `usage` lists as written, and fills in what the interface says about exports. primitiveId
// (i32) takes the place of the output of that kind, if it is given.
dovetail::Result<void> exportVertex(llvm::IRBuilderBase &builder, const dovetail::TargetInfo &target,
                                    const ResourceUsage &usage, OutputReader valueOf, llvm::Value *primitiveId,
                                    const InterShaderData &others, dovetail::PreRasterInterface &interface);

} // namespace lgc
