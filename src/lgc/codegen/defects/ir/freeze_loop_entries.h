// SPDX-License-Identifier: MIT
//
// SIAnnotateControlFlow takes a branch on a phi that is true on the way from the immediate dominator, and false on all
// others, for the else of an if. At the head of a loop, such a phi says that the loop is entered and not repeated. If
// lanes meet in front of the loop and the branch is uniform, the annotation is not closed: LLVM ends with "failed to
// annotate CFG". So the condition of such a branch is frozen, which makes it no phi.
#pragma once

#include <llvm/Pass.h>

namespace lgc {

// To be added behind all that changes control flow.
class FreezeLoopEntriesPass final : public llvm::FunctionPass {
public:
  static char ID;

  FreezeLoopEntriesPass() : FunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Freeze conditions of loop entries"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnFunction(llvm::Function &function) override;
};

} // namespace lgc
