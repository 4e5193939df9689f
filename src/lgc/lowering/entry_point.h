// SPDX-License-Identifier: MIT
#pragma once

#include "src/lgc/state/pipeline_state.h"
#include <llvm/IR/Function.h>

namespace lgc {

// Replaces the function by the one in hardware form. It ends with `returnValues` in VGPRs: the values of
// interface.outputs without the SGPRs that are passed on.
llvm::Function *makeEntryPoint(llvm::Function &function, llvm::ArrayRef<llvm::Value *> returnValues,
                               const PipelineState &state, dovetail::ShaderInterface &interface);

// After the last optimisation: lists the hardware's VGPRs that the code still reads, what was composed with it
// included. An entry function of a merged program (amdgpu_hs, amdgpu_gs) is left alone: whoever composed it knows its
// launch state.
void finishEntryPoint(llvm::Function &entry, dovetail::ShaderInterface &interface);

} // namespace lgc
