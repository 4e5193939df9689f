// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/hide/hide_passes.h"
#include "src/lgc/codegen/defects/hide/hide_result.h"
#include "src/lgc/codegen/defects/preserved_analyses.h"
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <optional>

using namespace llvm;

namespace lgc {

namespace {

// The operand to hide so that LLVM cannot know that a field begins at bit 0 and how wide it is: the offset if only the
// width is known, otherwise the width. std::nullopt if the field begins elsewhere.
std::optional<unsigned> operandToHide(const IntrinsicInst &field) {
  const auto *offset = dyn_cast<Constant>(field.getArgOperand(1));
  if (offset && !offset->isZeroValue())
    return std::nullopt;
  return !offset && isa<Constant>(field.getArgOperand(2)) ? 1 : 2;
}

// Turns a signed field that has all bits from its first one on into a shift. Hides offset or width of a field where it
// is not constant yet.
void changeSigned(IntrinsicInst &field) {
  IRBuilder<> builder(&field);
  const auto *offset = dyn_cast<ConstantInt>(field.getArgOperand(1));
  const auto *width = dyn_cast<ConstantInt>(field.getArgOperand(2));
  if (!offset || !width) {
    const unsigned operand = offset ? 2 : 1;
    field.setArgOperand(operand, hideValue(builder, field.getArgOperand(operand)));
  } else if (!offset->uge(32) && !width->uge(32) && offset->getZExtValue() + width->getZExtValue() >= 32) {
    field.replaceAllUsesWith(builder.CreateAShr(field.getArgOperand(0), offset->getZExtValue()));
    field.eraseFromParent();
  }
}

} // namespace

PreservedAnalyses HideFieldWidthsPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<IntrinsicInst *, 8> unsignedFields, signedFields;
  for (Instruction &inst : instructions(function)) {
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    if (!call)
      continue;
    if (call->getIntrinsicID() == Intrinsic::amdgcn_ubfe && operandToHide(*call))
      unsignedFields.push_back(call);
    else if (call->getIntrinsicID() == Intrinsic::amdgcn_sbfe && call->getType()->isIntegerTy(32))
      signedFields.push_back(call);
  }
  for (IntrinsicInst *field : unsignedFields) {
    IRBuilder<> builder(field);
    const unsigned operand = *operandToHide(*field);
    field->setArgOperand(operand, hideValue(builder, field->getArgOperand(operand)));
  }
  for (IntrinsicInst *field : signedFields)
    changeSigned(*field);
  return preserveControlFlow(!unsignedFields.empty() || !signedFields.empty());
}

} // namespace lgc
