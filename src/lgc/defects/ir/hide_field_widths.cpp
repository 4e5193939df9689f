// SPDX-License-Identifier: MIT
#include "src/lgc/defects/ir/hide_field_widths.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
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
    Value *width = field->getArgOperand(2);
    FunctionType *type = FunctionType::get(width->getType(), {width->getType()}, false);
    InlineAsm *nothing = InlineAsm::get(type, "", "=v,0", /*hasSideEffects=*/false);
    field->setArgOperand(2, builder.CreateCall(nothing, {width}));
  }
  if (found.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace lgc
