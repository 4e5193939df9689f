// SPDX-License-Identifier: MIT
//
// Derivatives. A plain derivative may be coarse or fine; here it is fine, which costs the same and has the smaller
// error. A width is the sum of the absolute derivatives in both directions.
#include "src/spirv/translate/translator.h"

using namespace llvm;

namespace dovetail::spirv {

Result<void> Translator::translateDerivative(const Instruction &inst) {
  using spv::Op;
  Value *x = DOVETAIL_TRY(operandValue(inst, 0));
  if (!x->getType()->getScalarType()->isFloatTy() && !x->getType()->getScalarType()->isHalfTy())
    return unsupported(inst, "derivatives of this type");
  bool isFine = inst.opcode != Op::OpDPdxCoarse && inst.opcode != Op::OpDPdyCoarse && inst.opcode != Op::OpFwidthCoarse;
  auto derivative = [&](bool isDirectionY) { return m_builder.CreateDerivative(x, isDirectionY, isFine); };
  switch (inst.opcode) {
  case Op::OpDPdx:
  case Op::OpDPdxFine:
  case Op::OpDPdxCoarse:
    setValue(inst, derivative(false));
    return {};
  case Op::OpDPdy:
  case Op::OpDPdyFine:
  case Op::OpDPdyCoarse:
    setValue(inst, derivative(true));
    return {};
  case Op::OpFwidth:
  case Op::OpFwidthFine:
  case Op::OpFwidthCoarse: {
    Value *dx = m_builder.CreateUnaryIntrinsic(Intrinsic::fabs, derivative(false));
    Value *dy = m_builder.CreateUnaryIntrinsic(Intrinsic::fabs, derivative(true));
    setValue(inst, m_builder.CreateFAdd(dx, dy));
    return {};
  }
  default:
    return unsupported(inst);
  }
}

} // namespace dovetail::spirv
