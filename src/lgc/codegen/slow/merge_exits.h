// SPDX-License-Identifier: MIT
//
// LLVM takes cubic time for a loop that many blocks leave, each to a block of its own. UnifyLoopExits makes a chain of
// blocks behind the loop, one for each exit; StructurizeCFG then looks for the value of each exit's phis all the way
// back through that chain. So this pass gives such a loop one exit before code generation. A number says where a lane
// goes on from there, and a tree of comparisons takes the lane there.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

class MergeExitsPass : public llvm::PassInfoMixin<MergeExitsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
