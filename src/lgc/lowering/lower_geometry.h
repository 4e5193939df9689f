// SPDX-License-Identifier: MIT
//
// The hand-over from ES to GS, and from GS to the copy shader. Both functions must run before lowerUserData.
#pragma once

#include "src/lgc/lowering/output_values.h"
#include "src/lgc/state/pipeline_state.h"

namespace lgc {

// Stores the outputs of a shader that runs as ES. The builder must stand at the shader's end. Fills in
// interface.outputSlots.
void storeEsOutputs(llvm::IRBuilderBase &builder, const PipelineState &state, dovetail::ShaderInterface &interface,
                    OutputReader valueOf);

// Lowers all ops of a geometry shader, anywhere in the function. The function has one returning block; its writes of
// outputs are lowered. Fills in interface.geometry, inputSlots and xfb.
dovetail::Result<void> lowerGeometryShader(llvm::Function &function, const PipelineState &state,
                                           dovetail::ShaderInterface &interface, const OutputValues &outputs);

} // namespace lgc
