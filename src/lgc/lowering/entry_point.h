// SPDX-License-Identifier: MIT
#pragma once

#include "src/lgc/state/pipeline_state.h"
#include <llvm/IR/Function.h>

namespace lgc {

// Replaces the function by one in hardware form. The new function ends with the values of its ReturnValueOps in VGPRs:
// those of interface.outputs without the SGPRs that are passed on. Errors: the code reads a value that is in no
// register.
dovetail::Result<llvm::Function *> makeEntryPoint(llvm::Function &function, const PipelineState &state,
                                                  dovetail::ShaderInterface &interface);

// Runs after the last optimisation: lists the hardware's VGPRs that the code still reads, code that was composed with
// it included. Leaves an entry function of a merged program (amdgpu_hs, amdgpu_gs) alone, because the code that
// composed it knows its launch state. Errors: a pixel shader that does not take the hardware's inputs.
dovetail::Result<void> finishEntryPoint(llvm::Function &entry, dovetail::ShaderInterface &interface);

} // namespace lgc
