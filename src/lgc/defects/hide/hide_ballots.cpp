// SPDX-License-Identifier: MIT
#include "src/lgc/defects/hide/hide_ballots.h"
#include "src/lgc/defects/hide/hide_result.h"
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;

namespace lgc {

void HideBallotsPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesAll(); // what it adds is uniform, as is all that an analysis does not know
}

bool HideBallotsPass::runOnFunction(Function &function) {
  bool isChanged = false;
  for (Instruction &inst : instructions(function)) {
    auto *comparison = dyn_cast<ICmpInst>(&inst);
    if (!comparison || !comparison->isEquality() ||
        !PatternMatch::match(comparison->getOperand(1), PatternMatch::m_Zero()) ||
        !PatternMatch::match(comparison->getOperand(0), PatternMatch::m_Intrinsic<Intrinsic::amdgcn_ballot>()) ||
        none_of(comparison->users(), [](const User *user) { return isa<BranchInst>(user); }))
      continue;
    IRBuilder<> builder(comparison);
    comparison->setOperand(0, hideUniform(builder, comparison->getOperand(0)));
    isChanged = true;
  }
  return isChanged;
}

char HideBallotsPass::ID = 0;

} // namespace lgc
