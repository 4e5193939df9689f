// SPDX-License-Identifier: MIT
//
// Conversions between floats, and casts of bits.
#include "src/spirv/translate/ops/arithmetic_ops.h"
#include "src/spirv/translate/ops/handlers.h"
#include <llvm/IR/IntrinsicsAMDGPU.h>

namespace dovetail::spirv {

using llvm::Value;

namespace {

// Converts to a float that is not farther from zero than the double.
Value *toFloatTowardZero(lgc::Builder &builder, Value *value) {
  Value *nearest = builder.CreateFPTrunc(value, builder.getFloatTy());
  Value *magnitude =
      builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, builder.CreateFPExt(nearest, value->getType()));
  Value *isAway = builder.CreateFCmpOGT(magnitude, builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value));
  Value *bits = builder.CreateBitCast(nearest, builder.getInt32Ty());
  return builder.CreateBitCast(builder.CreateSub(bits, builder.CreateZExt(isAway, builder.getInt32Ty())),
                               builder.getFloatTy());
}

Value *toHalfTowardZero(lgc::Builder &builder, Value *value) {
  auto convert = [&](Value *element) -> Value * {
    if (element->getType()->isHalfTy())
      return element;
    if (element->getType()->isDoubleTy())
      element = toFloatTowardZero(builder, element);
    Value *pair = builder.CreateIntrinsic(llvm::Intrinsic::amdgcn_cvt_pkrtz, {}, {element, element});
    return builder.CreateExtractElement(pair, uint64_t(0));
  };
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  if (!vector)
    return convert(value);
  Value *result = llvm::PoisonValue::get(vector->getWithNewType(builder.getHalfTy()));
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    result = builder.CreateInsertElement(result, convert(builder.CreateExtractElement(value, i)), i);
  return result;
}

} // namespace

Result<Value *> translateFloatConversion(Services &s, const Instruction &inst) {
  Value *operand = DOVETAIL_TRY(s.operand(inst, 0));
  llvm::Type *to = DOVETAIL_TRY(s.valueType(inst));
  if (to->getScalarType()->isHalfTy()) {
    const std::optional<uint32_t> rounding = s.declarations.decoration(inst.result, spv::Decoration::FPRoundingMode);
    if (rounding == static_cast<uint32_t>(spv::FPRoundingMode::RTZ))
      return toHalfTowardZero(s.builder, operand);
    // LLVM lets the texture unit round loaded values to half floats (simplifyAMDGCNImageIntrinsic). It is not known
    // whether that rounds as the shader asks. A frozen value is loaded as it is.
    if (rounding || s.builder.shaderModes().common.fp16RoundMode != lgc::FpRoundMode::DontCare)
      operand = s.builder.CreateFreeze(operand);
  }
  return s.builder.CreateFPCast(unfolded(s.builder, operand), to);
}

// Buffer addresses are integers here, so a cast between an address and a vector is a cast of integers.
Result<Value *> translateBitcast(Services &s, const Instruction &inst) {
  Value *operand = DOVETAIL_TRY(s.operand(inst, 0));
  llvm::Type *to = DOVETAIL_TRY(s.valueType(inst));
  llvm::Type *from = operand->getType();
  auto isCastable = [](llvm::Type *type) { return type->isIntOrIntVectorTy() || type->isFPOrFPVectorTy(); };
  if (from != to &&
      (!isCastable(from) || !isCastable(to) || from->getPrimitiveSizeInBits() != to->getPrimitiveSizeInBits()))
    return unsupported(inst, "a cast between these types is not supported");
  return s.builder.CreateBitCast(operand, to);
}

} // namespace dovetail::spirv
