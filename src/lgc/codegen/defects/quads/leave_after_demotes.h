// SPDX-License-Identifier: MIT
//
// Behind a demote, LLVM goes on to the end of the branch that it is in, even if no lane is left (SIWholeQuadMode). With
// EXEC = 0, vector instructions write nothing: a loop whose condition is the same in all lanes may never end, and a
// scalar load whose address comes out of VGPRs reads anywhere. So behind each demote from which one of these can be
// reached without meeting all lanes of the wave, lanes that are no longer wanted leave: those that have ended, or whose
// quad has ended if the shader needs helper invocations. A branch that lanes take apart is skipped where EXEC would be
// 0.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Of a shader whose outputs have no place yet: it returns nothing, and may end anywhere.
class LeaveAfterDemotesPass : public llvm::PassInfoMixin<LeaveAfterDemotesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
