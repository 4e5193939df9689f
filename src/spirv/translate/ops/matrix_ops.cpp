// SPDX-License-Identifier: MIT
//
// Matrix and vector products.
#include "src/spirv/translate/translator.h"

namespace dovetail::spirv {

Result<void> Translator::translateMatrixOp(const Instruction &inst) {
  Value *a = DOVETAIL_TRY(operandValue(inst, 0));
  if (inst.opcode == spv::Op::OpTranspose) {
    setValue(inst, m_builder.CreateTransposeMatrix(a));
    return {};
  }
  Value *b = DOVETAIL_TRY(operandValue(inst, 1));
  switch (inst.opcode) {
  case spv::Op::OpMatrixTimesScalar:
    setValue(inst, m_builder.CreateMatrixTimesScalar(a, b));
    return {};
  case spv::Op::OpVectorTimesMatrix:
    setValue(inst, m_builder.CreateVectorTimesMatrix(a, b));
    return {};
  case spv::Op::OpMatrixTimesVector:
    setValue(inst, m_builder.CreateMatrixTimesVector(a, b));
    return {};
  case spv::Op::OpMatrixTimesMatrix:
    setValue(inst, m_builder.CreateMatrixTimesMatrix(a, b));
    return {};
  case spv::Op::OpOuterProduct:
    setValue(inst, m_builder.CreateOuterProduct(a, b));
    return {};
  case spv::Op::OpVectorTimesScalar: {
    unsigned count = llvm::cast<llvm::FixedVectorType>(a->getType())->getNumElements();
    setValue(inst, m_builder.CreateFMul(a, m_builder.CreateVectorSplat(count, b)));
    return {};
  }
  case spv::Op::OpDot:
    setValue(inst, m_builder.CreateDotProduct(a, b));
    return {};
  default:
    return unsupported(inst);
  }
}

} // namespace dovetail::spirv
