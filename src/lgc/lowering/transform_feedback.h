// SPDX-License-Identifier: MIT
//
// Transform feedback of the stages that run as Vs.
#pragma once

#include "src/lgc/lowering/output_values.h"
#include "src/lgc/state/pipeline_state.h"

namespace lgc {

// The transform feedback of a shader that runs as Vs: the captures that it declares, without outputs that it never
// writes.
dovetail::XfbInterface capturedOutputs(const ResourceUsage &usage);

// Writes the captured outputs of a stream to the buffers at the builder's place; the builder then stands behind the
// writes, in another block. Makes internal ops, so it must run before lowerUserData.
void writeTransformFeedback(llvm::IRBuilderBase &builder, const dovetail::TargetInfo &target,
                            const dovetail::XfbInterface &xfb, unsigned stream, OutputReader valueOf);

} // namespace lgc
