// SPDX-License-Identifier: MIT
//
// Dot products of integer vectors. Each component is widened to the result's type by its own sign, so the products are
// exact. Four components of 8 bits may come packed into one integer. GFX8 and GFX9 (before gfx906) have no instruction
// for dot products.
#include "src/spirv/translate/translator.h"
#include <llvm/IR/Intrinsics.h>

using namespace llvm;

namespace dovetail::spirv {

using spv::Op;

Result<void> Translator::translateIntegerDot(const Instruction &inst) {
  const bool saturates =
      inst.opcode == Op::OpSDotAccSat || inst.opcode == Op::OpUDotAccSat || inst.opcode == Op::OpSUDotAccSat;
  const bool isFirstSigned = inst.opcode != Op::OpUDot && inst.opcode != Op::OpUDotAccSat;
  const bool isSecondSigned = inst.opcode == Op::OpSDot || inst.opcode == Op::OpSDotAccSat;
  Type *result = DOVETAIL_TRY(valueType(inst, inst.resultType));
  if (!result->isIntegerTy())
    return unsupported(inst, "a dot product of this type");

  auto components = [&](unsigned index, bool isSigned) -> Result<Value *> {
    Value *vector = DOVETAIL_TRY(operandValue(inst, index));
    if (vector->getType()->isIntegerTy(32)) // the only packed format
      vector = m_builder.CreateBitCast(vector, FixedVectorType::get(m_builder.getInt8Ty(), 4));
    auto *type = dyn_cast<FixedVectorType>(vector->getType());
    if (!type || !type->getElementType()->isIntegerTy())
      return unsupported(inst, fmt::format("%{} is no vector of integers", inst.operand(index)));
    return m_builder.CreateIntCast(vector, type->getWithNewType(result), isSigned);
  };
  Value *a = DOVETAIL_TRY(components(0, isFirstSigned));
  Value *b = DOVETAIL_TRY(components(1, isSecondSigned));
  if (a->getType() != b->getType())
    return unsupported(inst, "vectors of different lengths");
  Value *products = m_builder.CreateMul(a, b);
  Value *sum = m_builder.CreateExtractElement(products, uint64_t(0));
  for (unsigned i = 1; i < cast<FixedVectorType>(a->getType())->getNumElements(); ++i)
    sum = m_builder.CreateAdd(sum, m_builder.CreateExtractElement(products, i));
  if (saturates) {
    Value *accumulator = DOVETAIL_TRY(operandValue(inst, 2));
    if (accumulator->getType() != result)
      return unsupported(inst, "an accumulator of another type than the result");
    sum = m_builder.CreateBinaryIntrinsic(isFirstSigned ? Intrinsic::sadd_sat : Intrinsic::uadd_sat, sum, accumulator);
  }
  setValue(inst, sum);
  return {};
}

} // namespace dovetail::spirv
