// SPDX-License-Identifier: MIT
//
// SIAnnotateControlFlow looks for a branch on a phi that is true from the immediate dominator and false from all other
// predecessors. It takes such a branch for the else of an if. At the head of a loop, such a phi means that the loop is
// entered and not repeated. If lanes meet in front of the loop and the branch is uniform, LLVM does not close the
// annotation and ends with "failed to annotate CFG". So this pass freezes the condition of such a branch, which is then
// no phi.
#pragma once

#include <llvm/Pass.h>

namespace lgc {

// Must run after all passes that change control flow.
class FreezeLoopEntriesPass final : public llvm::FunctionPass {
public:
  static char ID;

  FreezeLoopEntriesPass() : FunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Freeze conditions of loop entries"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnFunction(llvm::Function &function) override;
};

} // namespace lgc
