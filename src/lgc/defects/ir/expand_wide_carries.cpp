// SPDX-License-Identifier: MIT
#include "src/lgc/defects/ir/expand_wide_carries.h"
#include "src/lgc/defects/preserved_analyses.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace lgc {

PreservedAnalyses ExpandWideCarriesPass::run(Function &function, FunctionAnalysisManager &) {
  bool hasChanged = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    if (!call || call->arg_empty() || call->getArgOperand(0)->getType()->getScalarSizeInBits() <= 32)
      continue;
    IRBuilder<> builder(call);
    Value *result = nullptr;
    auto overflow = [&](bool isAdd, bool saturates) {
      Value *x = call->getArgOperand(0), *y = call->getArgOperand(1);
      Value *value = isAdd ? builder.CreateAdd(x, y) : builder.CreateSub(x, y);
      Value *hasOverflow = isAdd ? builder.CreateICmpULT(value, x) : builder.CreateICmpULT(x, y);
      if (saturates) {
        Type *type = call->getType();
        Constant *bound = isAdd ? Constant::getAllOnesValue(type) : Constant::getNullValue(type);
        return builder.CreateSelect(hasOverflow, bound, value);
      }
      Value *pair = builder.CreateInsertValue(PoisonValue::get(call->getType()), value, 0);
      return builder.CreateInsertValue(pair, hasOverflow, 1);
    };
    switch (call->getIntrinsicID()) {
    case Intrinsic::uadd_sat:
      result = overflow(true, true);
      break;
    case Intrinsic::usub_sat:
      result = overflow(false, true);
      break;
    case Intrinsic::uadd_with_overflow:
      result = overflow(true, false);
      break;
    case Intrinsic::usub_with_overflow:
      result = overflow(false, false);
      break;
    default:
      continue;
    }
    call->replaceAllUsesWith(result);
    call->eraseFromParent();
    hasChanged = true;
  }
  return preserveControlFlow(hasChanged);
}

} // namespace lgc
