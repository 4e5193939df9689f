// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/ir/ir_passes.h"
#include "src/lgc/codegen/defects/preserved_analyses.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace lgc {

namespace {

bool asksForCarry(const BinaryOpIntrinsic &call) {
  return isa<SaturatingInst, WithOverflowInst>(call) && !call.isSigned() &&
         is_contained({Instruction::Add, Instruction::Sub}, call.getBinaryOp()) &&
         call.getLHS()->getType()->getScalarSizeInBits() > 32;
}

} // namespace

PreservedAnalyses ExpandWideCarriesPass::run(Function &function, FunctionAnalysisManager &) {
  bool hasChanged = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *call = dyn_cast<BinaryOpIntrinsic>(&inst);
    if (!call || !asksForCarry(*call))
      continue;
    IRBuilder<> builder(call);
    const bool isAdd = call->getBinaryOp() == Instruction::Add;
    Value *x = call->getLHS(), *y = call->getRHS(), *result = builder.CreateBinOp(call->getBinaryOp(), x, y);
    Value *overflows = isAdd ? builder.CreateICmpULT(result, x) : builder.CreateICmpULT(x, y);
    if (isa<SaturatingInst>(call)) {
      Type *type = call->getType();
      Constant *bound = isAdd ? Constant::getAllOnesValue(type) : Constant::getNullValue(type);
      result = builder.CreateSelect(overflows, bound, result);
    } else {
      result = builder.CreateInsertValue(PoisonValue::get(call->getType()), result, 0);
      result = builder.CreateInsertValue(result, overflows, 1);
    }
    call->replaceAllUsesWith(result);
    call->eraseFromParent();
    hasChanged = true;
  }
  return preserveControlFlow(hasChanged);
}

} // namespace lgc
