// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/quads/meeting_places.h"
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

bool isKillOfAll(const Instruction &inst) {
  auto *kill = dyn_cast<IntrinsicInst>(&inst);
  if (!kill || kill->getIntrinsicID() != Intrinsic::amdgcn_kill)
    return false;
  auto *condition = dyn_cast<ConstantInt>(kill->getArgOperand(0));
  return condition && condition->isZero();
}

MeetingPlaces::MeetingPlaces(Function &function) {
  m_cycles.compute(function);
  const DominatorTree dominators(function);
  const BasicBlock *last = nullptr; // dominates all ends
  for (const BasicBlock &block : function)
    if (succ_empty(&block) && dominators.isReachableFromEntry(&block))
      last = last ? dominators.findNearestCommonDominator(last, &block) : &block;
  for (const DomTreeNode *node = last ? dominators.getNode(last) : nullptr; node; node = node->getIDom())
    if (!isInCycle(*node->getBlock()))
      m_places.insert(node->getBlock());
}

} // namespace lgc
