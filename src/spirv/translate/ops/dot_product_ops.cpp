// SPDX-License-Identifier: MIT
//
// Dot products of integer vectors. Each component is widened to the result's type by its own sign, so the products are
// exact. Four components of 8 bits may come packed into one integer. GFX8 and GFX9 (before gfx906) have no instruction
// for dot products.
#include "src/spirv/translate/ops/handlers.h"
#include <llvm/IR/Intrinsics.h>

using namespace llvm;

namespace dovetail::spirv {

Result<Value *> translateIntegerDot(Services &s, const Instruction &inst, bool isFirstSigned, bool isSecondSigned,
                                    bool saturates) {
  Type *result = DOVETAIL_TRY(s.valueType(inst));
  if (!result->isIntegerTy())
    return unsupported(inst, "a dot product of this type");

  auto components = [&](unsigned index, bool isSigned) -> Result<Value *> {
    Value *vector = DOVETAIL_TRY(s.operand(inst, index));
    if (vector->getType()->isIntegerTy(32)) // the only packed format
      vector = s.builder.CreateBitCast(vector, FixedVectorType::get(s.builder.getInt8Ty(), 4));
    auto *type = dyn_cast<FixedVectorType>(vector->getType());
    if (!type || !type->getElementType()->isIntegerTy())
      return unsupported(inst, fmt::format("%{} is no vector of integers", inst.operand(index)));
    return s.builder.CreateIntCast(vector, type->getWithNewType(result), isSigned);
  };
  Value *a = DOVETAIL_TRY(components(0, isFirstSigned));
  Value *b = DOVETAIL_TRY(components(1, isSecondSigned));
  if (a->getType() != b->getType())
    return unsupported(inst, "vectors of different lengths");
  Value *products = s.builder.CreateMul(a, b);
  Value *sum = s.builder.CreateExtractElement(products, uint64_t(0));
  for (unsigned i = 1; i < cast<FixedVectorType>(a->getType())->getNumElements(); ++i)
    sum = s.builder.CreateAdd(sum, s.builder.CreateExtractElement(products, i));
  if (saturates) {
    Value *accumulator = DOVETAIL_TRY(s.operand(inst, 2));
    if (accumulator->getType() != result)
      return unsupported(inst, "an accumulator of another type than the result");
    sum = s.builder.CreateBinaryIntrinsic(isFirstSigned ? Intrinsic::sadd_sat : Intrinsic::uadd_sat, sum, accumulator);
  }
  return sum;
}

} // namespace dovetail::spirv
