// SPDX-License-Identifier: MIT
#include "src/lgc/defects/quads/meeting_places.h"
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
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

bool MeetingPlaces::contains(BasicBlock &block) {
  const auto [known, isNew] = m_known.try_emplace(&block, false);
  if (isNew)
    known->second = !isInCycle(block) && !returnsWithout(block);
  return known->second;
}

bool MeetingPlaces::returnsWithout(const BasicBlock &left) const {
  SmallVector<const BasicBlock *, 16> waiting = {&m_function.getEntryBlock()};
  SmallPtrSet<const BasicBlock *, 16> seen(waiting.begin(), waiting.end());
  while (!waiting.empty()) {
    const BasicBlock *block = waiting.pop_back_val();
    if (block == &left)
      continue;
    if (succ_empty(block))
      return true;
    for (const BasicBlock *next : successors(block))
      if (seen.insert(next).second)
        waiting.push_back(next);
  }
  return false;
}

} // namespace lgc
