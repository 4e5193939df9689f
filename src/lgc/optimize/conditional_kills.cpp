// SPDX-License-Identifier: MIT
//
// The lanes that go on are the same as before, and so is what they do. Blocks that do more than end lanes stay as they
// are: what they do is only for the lanes that end. So do demotes, behind which the lanes go on as helpers.
#include "src/lgc/optimize/conditional_kills.h"
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace lgc {

namespace {

bool isKillOfAll(const Instruction &instruction) {
  auto *kill = dyn_cast<IntrinsicInst>(&instruction);
  if (!kill || kill->getIntrinsicID() != Intrinsic::amdgcn_kill)
    return false;
  auto *condition = dyn_cast<ConstantInt>(kill->getArgOperand(0));
  return condition && condition->isZero();
}

// Ends its lanes and leaves, and does nothing else. Where it goes can be reached without it: a shader keeps its end.
bool onlyKills(const BasicBlock &block) {
  auto *leave = dyn_cast<BranchInst>(block.getTerminator());
  return leave && leave->isUnconditional() && leave->getSuccessor(0)->getUniquePredecessor() != &block &&
         block.sizeWithoutDebug() == 2 && isKillOfAll(*block.getFirstNonPHIOrDbg());
}

// A block whose branch is conditional, and one of whose ways is to `killing`, kills by the condition instead.
bool killInFront(BasicBlock &front, BasicBlock &killing) {
  auto *branch = dyn_cast<BranchInst>(front.getTerminator());
  if (!branch || branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
    return false;
  const unsigned way = branch->getSuccessor(0) == &killing ? 0 : 1;
  IRBuilder<> builder(branch);
  Value *condition = branch->getCondition();
  builder.CreateIntrinsic(Intrinsic::amdgcn_kill, {}, {way == 0 ? builder.CreateNot(condition) : condition});
  builder.CreateBr(branch->getSuccessor(1 - way));
  killing.removePredecessor(&front);
  branch->eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses ConditionalKillsPass::run(Function &function, FunctionAnalysisManager &) {
  bool isChanged = false;
  for (BasicBlock &block : make_early_inc_range(drop_begin(function))) {
    if (!onlyKills(block))
      continue;
    for (BasicBlock *front : SmallVector<BasicBlock *, 4>(predecessors(&block)))
      isChanged |= killInFront(*front, block);
    if (pred_empty(&block))
      DeleteDeadBlock(&block);
  }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace lgc
