// SPDX-License-Identifier: MIT
//
// The optimisation pipelines. A shader's IR is one function without calls or recursion, so these are lean: LLVM's
// default pipelines spend most of their time in passes (inlining, argument promotion, vectorisers) that have nothing to
// do here.
#pragma once

#include <llvm/IR/PassManager.h>

namespace llvm {
class PassBuilder;
}

namespace lgc {

// For replayed IR, where hardware values and descriptor loads are still ops that can be merged and dropped freely.
llvm::ModulePassManager makeShaderPipeline(llvm::PassBuilder &builder, unsigned level);

// For IR in hardware form: inlines what a monolithic compile composed, and cleans up what lowering left.
llvm::ModulePassManager makeHardwareFormPipeline(llvm::PassBuilder &builder, unsigned level);

} // namespace lgc
