// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/ir/ir_passes.h"
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

using namespace llvm;

namespace lgc {

void FreezeLoopEntriesPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.addRequired<DominatorTreeWrapperPass>();
  usage.setPreservesAll(); // nobody asks whether the new value is uniform: the branch's uniformity is known
}

bool FreezeLoopEntriesPass::runOnFunction(Function &function) {
  const DominatorTree &dominators = getAnalysis<DominatorTreeWrapperPass>().getDomTree();
  bool isChanged = false;
  for (BasicBlock &block : function) {
    auto *branch = dyn_cast<BranchInst>(block.getTerminator());
    auto *condition = branch && branch->isConditional() ? dyn_cast<PHINode>(branch->getCondition()) : nullptr;
    const bool isHead =
        any_of(predecessors(&block), [&](const BasicBlock *before) { return dominators.dominates(&block, before); });
    if (!condition || condition->getParent() != &block || !isHead)
      continue;
    branch->setCondition(IRBuilder<>(branch).CreateFreeze(condition));
    isChanged = true;
  }
  return isChanged;
}

} // namespace lgc
