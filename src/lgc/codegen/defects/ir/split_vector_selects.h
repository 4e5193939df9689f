// SPDX-License-Identifier: MIT
//
// LLVM folds an operation on the bits of a selection into the selection (AMDGPUCodeGenPrepare, foldBinOpIntoSelect),
// even where components are selected one by one. The result selects whole numbers by a vector of conditions. That is no
// valid instruction and gives any number. So this pass makes a selection for each component where the bits of a
// selection are read.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Must run after all passes that combine instructions.
class SplitVectorSelectsPass : public llvm::PassInfoMixin<SplitVectorSelectsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
