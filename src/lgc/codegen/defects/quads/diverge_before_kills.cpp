// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/hide/hide_result.h"
#include "src/lgc/codegen/defects/quads/meeting_places.h"
#include "src/lgc/codegen/defects/quads/quad_passes.h"
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace lgc {

namespace {

// The blocks that end their lanes apart from others, and the blocks from which all paths lead to one of these.
SetVector<BasicBlock *> endingBlocks(Function &function, const MeetingPlaces &meetings) {
  SetVector<BasicBlock *> ending;
  for (Instruction &inst : instructions(function))
    if (isKillOfAll(inst) && !meetings.contains(*inst.getParent()))
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
  usage.setPreservesAll(); // this pass computes the uniformity again
}

bool DivergeBeforeKillsPass::runOnFunction(Function &function) {
  if (none_of(instructions(function), isKillOfAll))
    return false;
  auto &uniformity = getAnalysis<UniformityInfoWrapperPass>();
  const MeetingPlaces meetings(function);
  const SetVector<BasicBlock *> ending = endingBlocks(function, meetings);
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

} // namespace lgc
