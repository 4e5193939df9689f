// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/ir/ir_passes.h"
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace lgc {

namespace {

// Whether all operands of the instruction are made outside of its block.
bool needsNothingOfItsBlock(const Instruction &inst) {
  return none_of(inst.operands(), [&](const Use &operand) {
    auto *value = dyn_cast<Instruction>(operand);
    return value && value->getParent() == inst.getParent();
  });
}

} // namespace

void HoistFreeValuesPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.addRequired<DominatorTreeWrapperPass>();
  usage.addRequired<TargetTransformInfoWrapperPass>();
  usage.setPreservesCFG();
}

bool HoistFreeValuesPass::runOnFunction(Function &function) {
  const DominatorTree &dominators = getAnalysis<DominatorTreeWrapperPass>().getDomTree();
  TargetTransformInfo &costs = getAnalysis<TargetTransformInfoWrapperPass>().getTTI(function);
  auto isFree = [&](Instruction &inst) {
    return !isa<PHINode>(inst) && !inst.mayHaveSideEffects() && !inst.mayReadFromMemory() &&
           costs.getInstructionCost(&inst, TargetTransformInfo::TCK_SizeAndLatency) == 0;
  };
  // A value that moves may free another one to move.
  bool hasChanged = false;
  for (bool isComplete = false; !isComplete;) {
    isComplete = true;
    for (BasicBlock &block : function)
      for (PHINode &phi : block.phis())
        for (unsigned way = 0; way < phi.getNumIncomingValues(); ++way) {
          auto *value = dyn_cast<Instruction>(phi.getIncomingValue(way));
          if (!value || value->getParent() != phi.getIncomingBlock(way) || !needsNothingOfItsBlock(*value) ||
              !isFree(*value))
            continue;
          const DomTreeNode *node = dominators.getNode(value->getParent());
          if (!node || !node->getIDom())
            continue;
          value->moveBefore(node->getIDom()->getBlock()->getTerminator()->getIterator());
          hasChanged = true;
          isComplete = false;
        }
  }
  return hasChanged;
}

} // namespace lgc
