// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/hide/hide_passes.h"
#include "src/lgc/codegen/defects/hide/hide_result.h"
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace lgc {

namespace {

// Whether the constant's low 16 bits are those of a half -0.0.
bool isHalfZero(const Constant *constant) {
  if (auto *number = dyn_cast_or_null<ConstantFP>(constant))
    return number->getType()->isHalfTy() && number->isNegativeZeroValue();
  auto *number = dyn_cast_or_null<ConstantInt>(constant);
  return number && number->getBitWidth() >= 16 && number->getValue().extractBitsAsZExtValue(16, 0) == 0x8000;
}

// Whether the instruction's elements are, or become, 16 bits wide.
bool hasHalves(const Instruction &inst) {
  return inst.getType()->getScalarSizeInBits() == 16 ||
         any_of(inst.users(), [](const User *user) { return isa<TruncInst>(user); });
}

// The constant, a number or a vector of numbers, with its zeros hidden. nullptr if it has no zeros.
Value *withHiddenZeros(IRBuilder<> &builder, Constant *constant) {
  if (isHalfZero(constant))
    return hideUniform(builder, constant);
  auto *type = dyn_cast<FixedVectorType>(constant->getType());
  Value *result = nullptr;
  for (unsigned i = 0; type && i < type->getNumElements(); ++i)
    if (Constant *element = constant->getAggregateElement(i); isHalfZero(element))
      result = builder.CreateInsertElement(result ? result : constant, hideUniform(builder, element), i);
  return result;
}

} // namespace

void HideHalfZerosPass::getAnalysisUsage(AnalysisUsage &usage) const {
  usage.setPreservesAll(); // the new values are uniform, and an analysis takes unknown values for uniform
}

bool HideHalfZerosPass::runOnFunction(Function &function) {
  bool isChanged = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    if (!isa<InsertElementInst, ShuffleVectorInst>(inst) || !hasHalves(inst))
      continue;
    IRBuilder<> builder(&inst);
    for (Use &use : inst.operands())
      if (auto *constant = dyn_cast<Constant>(use); constant && use.getOperandNo() < 2)
        if (Value *hidden = withHiddenZeros(builder, constant)) {
          use.set(hidden);
          isChanged = true;
        }
  }
  return isChanged;
}

} // namespace lgc
