// SPDX-License-Identifier: MIT
//
// LLVM folds an operation on the bits of a selection into the selection (AMDGPUCodeGenPrepare, foldBinOpIntoSelect),
// also where components are selected one by one: a selection between whole numbers by a vector of conditions, which is
// no valid instruction, and gives anything. So this pass makes a selection for each component where its bits are looked
// at.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Behind all passes that combine instructions.
class SplitVectorSelectsPass : public llvm::PassInfoMixin<SplitVectorSelectsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
