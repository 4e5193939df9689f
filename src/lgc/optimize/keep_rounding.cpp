// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/hide/hide_result.h"
#include "src/lgc/optimize/shader_steps.h"
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace lgc {

namespace {

bool isRounded(const Instruction &inst) {
  if (auto *call = dyn_cast<IntrinsicInst>(&inst))
    return is_contained({Intrinsic::fma, Intrinsic::fmuladd, Intrinsic::ldexp}, call->getIntrinsicID());
  return isa<BinaryOperator, FPTruncInst, SIToFPInst, UIToFPInst>(inst) && inst.getType()->isFPOrFPVectorTy();
}

} // namespace

void keepRounding(Function &function, const PipelineState &state) {
  const CommonShaderMode &modes = state.shaderModes().common;
  auto isToNearest = [](FpRoundMode mode) { return mode == FpRoundMode::DontCare || mode == FpRoundMode::Even; };
  if (isToNearest(modes.fp16RoundMode) && isToNearest(modes.fp32RoundMode) && isToNearest(modes.fp64RoundMode))
    return;
  auto isKept = [&](const Type &type) {
    const FpRoundMode mode = type.isHalfTy()    ? modes.fp16RoundMode
                             : type.isFloatTy() ? modes.fp32RoundMode
                                                : modes.fp64RoundMode;
    return isToNearest(mode);
  };
  SmallVector<Instruction *, 16> found;
  for (Instruction &inst : instructions(function))
    if (isRounded(inst) && !isKept(*inst.getType()->getScalarType()))
      found.push_back(&inst);
  for (Instruction *inst : found) {
    IRBuilder<> builder(inst);
    inst->setOperand(0, hideValue(builder, inst->getOperand(0)));
  }
}

} // namespace lgc
