// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/hide/hide_passes.h"
#include "src/lgc/codegen/defects/hide/hide_result.h"
#include "src/lgc/codegen/defects/preserved_analyses.h"
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

// The value in front of changes of the sign, which LLVM moves into minima and maxima: negations, and operations that
// may become one, such as a product with a constant.
const Value *withoutSigns(const Value *value) {
  for (unsigned steps = 0; steps < 4; ++steps) {
    auto *inst = dyn_cast<Instruction>(value);
    if (!inst || !isa<UnaryOperator, BinaryOperator, BitCastInst>(inst))
      break;
    const bool isOfConstant = inst->getNumOperands() == 2 && isa<Constant>(inst->getOperand(0));
    if (inst->getNumOperands() == 2 && !isOfConstant && !isa<Constant>(inst->getOperand(1)))
      break;
    value = inst->getOperand(isOfConstant);
  }
  return value;
}

// Whether the instruction is, or may be, selected as one of three operands.
bool mayHaveThreeOperands(const Instruction &inst) {
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  if (call && call->getIntrinsicID() == Intrinsic::amdgcn_fmed3)
    return true;
  return isMinimumOrMaximum(&inst) &&
         any_of(inst.operands(), [](const Use &use) { return isMinimumOrMaximum(withoutSigns(use)); });
}

// Whether its bits may be read as bits: directly, or where LLVM combines signs, selections and phis with their readers.
// Arithmetic reads only the low half of a register.
bool mayHaveBitsRead(const Instruction &inst) {
  return any_of(inst.users(), [](const User *user) {
    auto *call = dyn_cast<IntrinsicInst>(user);
    if (call)
      return call->getIntrinsicID() == Intrinsic::fabs || call->getIntrinsicID() == Intrinsic::copysign;
    return !isa<BinaryOperator, FCmpInst, FPExtInst, FPToSIInst, FPToUIInst>(user);
  });
}

// Whether the instruction is a product that must be rounded to a half before it is extended.
bool isRoundedProduct(const Instruction &inst) {
  return inst.getOpcode() == Instruction::FMul && inst.getType()->getScalarType()->isHalfTy() &&
         !inst.hasAllowContract() && any_of(inst.users(), [](const User *user) { return isa<FPExtInst>(user); });
}

} // namespace

PreservedAnalyses HideHalfResultsPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<Instruction *, 8> found;
  for (Instruction &inst : instructions(function))
    if (isRoundedProduct(inst) || (inst.getType()->isHalfTy() && mayHaveThreeOperands(inst) && mayHaveBitsRead(inst)))
      found.push_back(&inst);
  for (Instruction *inst : found)
    hideResult(*inst);
  return preserveControlFlow(!found.empty());
}

} // namespace lgc
