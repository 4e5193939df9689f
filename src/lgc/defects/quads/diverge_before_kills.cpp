// SPDX-License-Identifier: MIT
#include "src/lgc/defects/quads/diverge_before_kills.h"
#include "src/lgc/defects/hide/hide_result.h"
#include "src/lgc/defects/quads/meeting_places.h"
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

namespace {

bool isKill(const Instruction &inst) {
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  return call && call->getIntrinsicID() == Intrinsic::amdgcn_kill;
}

// The blocks that have a kill, and those of which all ways lead to one.
SetVector<BasicBlock *> endingBlocks(Function &function) {
  SetVector<BasicBlock *> ending;
  for (Instruction &inst : instructions(function))
    if (isKill(inst))
      ending.insert(inst.getParent());
  for (size_t i = 0; i < ending.size(); ++i)
    for (BasicBlock *front : predecessors(ending[i]))
      if (all_of(successors(front), [&](BasicBlock *next) { return ending.contains(next); }))
        ending.insert(front);
  return ending;
}

} // namespace

void DivergeBeforeKillsPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.addRequired<UniformityInfoWrapperPass>();
  usage.setPreservesAll(); // the uniformity is made again
}

bool DivergeBeforeKillsPass::runOnFunction(Function &function) {
  const SetVector<BasicBlock *> ending = endingBlocks(function);
  if (ending.empty())
    return false;
  auto &uniformity = getAnalysis<UniformityInfoWrapperPass>();
  MeetingPlaces meetings(function);
  bool isChanged = false;
  for (BasicBlock *block : ending)
    for (BasicBlock *front : predecessors(block)) {
      auto *branch = dyn_cast<BranchInst>(front->getTerminator());
      if (!branch || branch->isUnconditional() || ending.contains(front) || meetings.contains(*front) ||
          uniformity.getUniformityInfo().hasDivergentTerminator(*front))
        continue;
      IRBuilder<> builder(branch);
      branch->setCondition(hideValue(builder, branch->getCondition()));
      isChanged = true;
    }
  if (isChanged)
    uniformity.runOnFunction(function);
  return isChanged;
}

char DivergeBeforeKillsPass::ID = 0;

} // namespace lgc
