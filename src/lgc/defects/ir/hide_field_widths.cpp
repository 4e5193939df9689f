// SPDX-License-Identifier: MIT
#include "src/lgc/defects/ir/hide_field_widths.h"
#include "src/lgc/defects/ir/hide_result.h"
#include "src/lgc/defects/preserved_analyses.h"
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

PreservedAnalyses HideFieldWidthsPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<IntrinsicInst *, 8> found;
  for (Instruction &inst : instructions(function)) {
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    if (call && call->getIntrinsicID() == Intrinsic::amdgcn_ubfe && !isa<Constant>(call->getArgOperand(2)))
      found.push_back(call);
  }
  for (IntrinsicInst *field : found) {
    IRBuilder<> builder(field);
    field->setArgOperand(2, hideValue(builder, field->getArgOperand(2)));
  }
  return preserveControlFlow(!found.empty());
}

} // namespace lgc
