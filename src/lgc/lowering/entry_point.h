// SPDX-License-Identifier: MIT
#pragma once

#include "src/lgc/state/pipeline_state.h"
#include <llvm/IR/Function.h>

namespace lgc {

// Replaces the function by the one in hardware form. It ends with the values of its ReturnValueOps in VGPRs: those of
// interface.outputs without the SGPRs that are passed on.
// Errors: the code reads what is in no register.
dovetail::Result<llvm::Function *> makeEntryPoint(llvm::Function &function, const PipelineState &state,
                                                  dovetail::ShaderInterface &interface);

// After the last optimisation: lists the hardware's VGPRs that the code still reads, what was composed with it
// included. An entry function of a merged program (amdgpu_hs, amdgpu_gs) is left alone: whoever composed it knows its
// launch state. Errors: a pixel shader that does not take what the hardware gives it.
dovetail::Result<void> finishEntryPoint(llvm::Function &entry, dovetail::ShaderInterface &interface);

} // namespace lgc
