// SPDX-License-Identifier: MIT
//
// The optimisation pipelines. LLVM's default pipelines spend most of their time in passes (inlining, argument
// promotion, vectorisers) that have nothing to do here: a shader's IR is one function without calls or recursion. So
// these pipelines are lean.
#pragma once

#include <llvm/IR/PassManager.h>

namespace llvm {
class PassBuilder;
}

namespace lgc {

// For replayed IR, where hardware values and descriptor loads are still ops that LLVM can combine and drop freely.
llvm::ModulePassManager makeShaderPipeline(llvm::PassBuilder &builder, unsigned level);

// For IR in hardware form: inlines the functions that a monolithic compile composed, and cleans up after the lowering.
llvm::ModulePassManager makeHardwareFormPipeline(llvm::PassBuilder &builder, unsigned level);

} // namespace lgc
