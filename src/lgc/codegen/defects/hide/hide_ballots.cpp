// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/hide/hide_passes.h"
#include "src/lgc/codegen/defects/hide/hide_result.h"
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

namespace {

// LLVM turns other comparisons, such as with 1, into comparisons with 0, and moves instructions from between a ballot
// and its comparison. So any comparison counts.
bool isComparison(const User *user) {
  return isa<ICmpInst>(user) || (isa<FreezeInst>(user) && any_of(user->users(), isComparison));
}

} // namespace

void HideBallotsPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesAll(); // the new values are uniform, and an analysis takes unknown values for uniform
}

bool HideBallotsPass::runOnFunction(Function &function) {
  SmallVector<Instruction *, 8> found;
  for (Instruction &inst : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&inst);
        call && call->getIntrinsicID() == Intrinsic::amdgcn_ballot && any_of(call->users(), isComparison))
      found.push_back(call);
  for (Instruction *ballot : found) {
    IRBuilder<> builder(ballot->getNextNode());
    Value *hidden = hideUniform(builder, ballot);
    ballot->replaceUsesWithIf(hidden, [](const Use &use) { return isComparison(use.getUser()); });
  }
  return !found.empty();
}

} // namespace lgc
