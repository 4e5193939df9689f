// SPDX-License-Identifier: MIT
#include "src/lgc/defects/ir/hide_half_results.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

using namespace llvm;

namespace lgc {

namespace {

bool isMinimumOrMaximum(const Value *value) {
  auto *call = dyn_cast<IntrinsicInst>(value);
  switch (call ? call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
  case Intrinsic::minimumnum:
  case Intrinsic::maximumnum:
    return true;
  default:
    return false;
  }
}

// Whether it is selected as an instruction of three operands, or may be.
bool mayHaveThreeOperands(const Instruction &inst) {
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  if (call && call->getIntrinsicID() == Intrinsic::amdgcn_fmed3)
    return true;
  return isMinimumOrMaximum(&inst) && any_of(inst.operands(), [](const Use &use) { return isMinimumOrMaximum(use); });
}

// Whether its bits may be read as such: at once, or where signs, selections and phis are combined with what reads them.
// Arithmetic reads the low half of a register.
bool mayHaveBitsRead(const Instruction &inst) {
  return any_of(inst.users(), [](const User *user) {
    auto *call = dyn_cast<IntrinsicInst>(user);
    if (call)
      return call->getIntrinsicID() == Intrinsic::fabs || call->getIntrinsicID() == Intrinsic::copysign;
    return !isa<BinaryOperator, FCmpInst, FPExtInst, FPToSIInst, FPToUIInst>(user);
  });
}

// Whether it is a product that is to be rounded to halves before it is extended.
bool isRoundedProduct(const Instruction &inst) {
  return inst.getOpcode() == Instruction::FMul && inst.getType()->getScalarType()->isHalfTy() &&
         !inst.hasAllowContract() && any_of(inst.users(), [](const User *user) { return isa<FPExtInst>(user); });
}

Value *hide(IRBuilder<> &builder, Value *half) {
  if (auto *vector = dyn_cast<FixedVectorType>(half->getType())) {
    Value *hidden = PoisonValue::get(vector);
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      hidden = builder.CreateInsertElement(hidden, hide(builder, builder.CreateExtractElement(half, i)), i);
    return hidden;
  }
  Type *held = builder.getInt32Ty(); // what a VGPR is
  InlineAsm *nothing = InlineAsm::get(FunctionType::get(held, {held}, false), "", "=v,0", /*hasSideEffects=*/false);
  Value *bits = builder.CreateZExt(builder.CreateBitCast(half, builder.getInt16Ty()), held);
  return builder.CreateBitCast(builder.CreateTrunc(builder.CreateCall(nothing, {bits}), builder.getInt16Ty()),
                               half->getType());
}

} // namespace

PreservedAnalyses HideHalfResultsPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<Instruction *, 8> found;
  for (Instruction &inst : instructions(function))
    if (isRoundedProduct(inst) || (inst.getType()->isHalfTy() && mayHaveThreeOperands(inst) && mayHaveBitsRead(inst)))
      found.push_back(&inst);
  for (Instruction *inst : found) {
    SmallVector<Use *, 4> uses;
    for (Use &use : inst->uses())
      uses.push_back(&use);
    IRBuilder<> builder(inst->getNextNode());
    Value *hidden = hide(builder, inst);
    for (Use *use : uses)
      use->set(hidden);
  }
  if (found.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace lgc
