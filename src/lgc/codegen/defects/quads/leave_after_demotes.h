// SPDX-License-Identifier: MIT
//
// After a demote, LLVM continues to the end of the branch that contains it, even if no lane is left (SIWholeQuadMode).
// With EXEC = 0, vector instructions write nothing: a loop whose condition is the same in all lanes may never end, and
// a scalar load whose address comes out of VGPRs reads anywhere. So this pass looks for demotes from which control flow
// can reach one of these without a place where all lanes of the wave meet. Behind such a demote, lanes leave that are
// no longer wanted: those that have ended, or, if the shader needs helper invocations, those whose quad has ended. LLVM
// skips a divergent branch where EXEC would be 0.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// For a shader whose outputs have no place yet: it returns nothing, and may end anywhere.
class LeaveAfterDemotesPass : public llvm::PassInfoMixin<LeaveAfterDemotesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
