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

} // namespace

PreservedAnalyses HideFieldWidthsPass::run(Function &function, FunctionAnalysisManager &) {
  SmallVector<IntrinsicInst *, 8> found;
  for (Instruction &inst : instructions(function)) {
    auto *call = dyn_cast<IntrinsicInst>(&inst);
    if (call && call->getIntrinsicID() == Intrinsic::amdgcn_ubfe && operandToHide(*call))
      found.push_back(call);
  }
  for (IntrinsicInst *field : found) {
    IRBuilder<> builder(field);
    const unsigned operand = *operandToHide(*field);
    field->setArgOperand(operand, hideValue(builder, field->getArgOperand(operand)));
  }
  return preserveControlFlow(!found.empty());
}

} // namespace lgc
