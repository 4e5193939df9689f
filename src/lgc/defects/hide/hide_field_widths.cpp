// SPDX-License-Identifier: MIT
#include "src/lgc/defects/hide/hide_field_widths.h"
#include "src/lgc/defects/hide/hide_result.h"
#include "src/lgc/defects/preserved_analyses.h"
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <optional>

using namespace llvm;

namespace lgc {

namespace {

// The operand that keeps LLVM from knowing that a field begins at bit 0 and how wide it is: the offset, where only the
// width is known. Nothing if the field begins elsewhere.
std::optional<unsigned> operandToHide(const IntrinsicInst &field) {
  const auto *offset = dyn_cast<Constant>(field.getArgOperand(1));
  if (offset && !offset->isZeroValue())
    return std::nullopt;
  return !offset && isa<Constant>(field.getArgOperand(2)) ? 1 : 2;
}

// The shift by which a signed field reaches bit 0, if it has all bits above that.
std::optional<uint64_t> shiftOf(const IntrinsicInst &field) {
  const auto *offset = dyn_cast<ConstantInt>(field.getArgOperand(1));
  const auto *width = dyn_cast<ConstantInt>(field.getArgOperand(2));
  if (!field.getType()->isIntegerTy(32) || !offset || !width || offset->uge(32) || width->uge(32) ||
      offset->getZExtValue() + width->getZExtValue() < 32)
    return std::nullopt;
  return offset->getZExtValue();
}

} // namespace

PreservedAnalyses HideFieldWidthsPass::run(Function &function, FunctionAnalysisManager &) {
  bool hasChanged = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *field = dyn_cast<IntrinsicInst>(&inst);
    const Intrinsic::ID id = field ? field->getIntrinsicID() : Intrinsic::not_intrinsic;
    IRBuilder<> builder(&inst);
    if (const std::optional<unsigned> operand = id == Intrinsic::amdgcn_ubfe ? operandToHide(*field) : std::nullopt) {
      field->setArgOperand(*operand, hideValue(builder, field->getArgOperand(*operand)));
      hasChanged = true;
    }
    if (const std::optional<uint64_t> shift = id == Intrinsic::amdgcn_sbfe ? shiftOf(*field) : std::nullopt) {
      field->replaceAllUsesWith(builder.CreateAShr(field->getArgOperand(0), *shift));
      field->eraseFromParent();
      hasChanged = true;
    }
  }
  return preserveControlFlow(hasChanged);
}

} // namespace lgc
