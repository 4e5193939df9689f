// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/machine/machine_passes.h"
#include <llvm/CodeGen/MachineFunction.h>

using namespace llvm;

namespace lgc {

namespace {

// The unconditional branch behind a conditional branch with another target; nullptr if the block has none.
MachineInstr *secondBranch(MachineBasicBlock &block) {
  const auto last = block.getLastNonDebugInstr();
  if (last == block.end() || !last->isUnconditionalBranch())
    return nullptr;
  const auto first = block.getFirstTerminator();
  const bool isSecond = first != last && first->isConditionalBranch() && first->getOperand(0).isMBB() &&
                        first->getOperand(0).getMBB() != last->getOperand(0).getMBB();
  return isSecond ? &*last : nullptr;
}

} // namespace

void SplitBranchesPass::getAnalysisUsage(AnalysisUsage &usage) const {
  MachineFunctionPass::getAnalysisUsage(usage);
}

bool SplitBranchesPass::runOnMachineFunction(MachineFunction &function) {
  bool hasChanged = false;
  for (MachineBasicBlock &block : make_early_inc_range(function)) {
    MachineInstr *branch = secondBranch(block);
    if (!branch)
      continue;
    MachineBasicBlock *target = branch->getOperand(0).getMBB();
    MachineBasicBlock *behind = function.CreateMachineBasicBlock(block.getBasicBlock());
    function.insert(std::next(block.getIterator()), behind);
    behind->splice(behind->end(), &block, branch->getIterator());
    block.replaceSuccessor(target, behind);
    behind->addSuccessor(target);
    for (const MachineBasicBlock::RegisterMaskPair &in : target->liveins())
      behind->addLiveIn(in);
    hasChanged = true;
  }
  return hasChanged;
}

} // namespace lgc
