// SPDX-License-Identifier: MIT
//
// Conversions between numeric types. A float that does not fit an integer gives an undefined value in SPIR-V but poison
// in LLVM, so the result is frozen.
#include "src/spirv/translate/translator.h"
#include <llvm/IR/IntrinsicsAMDGPU.h>

namespace dovetail::spirv {

namespace {

using llvm::Value;

// The builder folds operations on constants and rounds to nearest, even if the shader asks for another rounding
// (keep_rounding.h). So constants are hidden from it.
Value *unfolded(lgc::Builder &builder, Value *value) {
  return llvm::isa<llvm::Constant>(value) ? builder.CreateFreeze(value) : value;
}

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

bool Translator::asksForHalfRounding(const Instruction &inst) const {
  return m_builder.shaderModes().common.fp16RoundMode != lgc::FpRoundMode::DontCare ||
         decorationOperand(inst.result, spv::Decoration::FPRoundingMode);
}

Result<void> Translator::translateConversion(const Instruction &inst) {
  Value *operand = DOVETAIL_TRY(operandValue(inst, 0));
  llvm::Type *to = DOVETAIL_TRY(valueType(inst, inst.resultType));
  if (inst.opcode == spv::Op::OpFConvert && to->getScalarType()->isHalfTy() &&
      decorationOperand(inst.result, spv::Decoration::FPRoundingMode) ==
          static_cast<uint32_t>(spv::FPRoundingMode::RTZ)) {
    setValue(inst, toHalfTowardZero(m_builder, operand));
    return {};
  }
  switch (inst.opcode) {
  case spv::Op::OpConvertFToU:
    setValue(inst, m_builder.CreateFreeze(m_builder.CreateFPToUI(operand, to)));
    return {};
  case spv::Op::OpConvertFToS:
    setValue(inst, m_builder.CreateFreeze(m_builder.CreateFPToSI(operand, to)));
    return {};
  case spv::Op::OpConvertSToF:
    operand = unfolded(m_builder, operand);
    setValue(inst, m_builder.CreateSIToFP(operand, to));
    return {};
  case spv::Op::OpConvertUToF:
    operand = unfolded(m_builder, operand);
    setValue(inst, m_builder.CreateUIToFP(operand, to));
    return {};
  case spv::Op::OpUConvert:
    setValue(inst, m_builder.CreateZExtOrTrunc(operand, to));
    return {};
  case spv::Op::OpSConvert:
    setValue(inst, m_builder.CreateSExtOrTrunc(operand, to));
    return {};
  case spv::Op::OpFConvert:
    // LLVM lets the texture unit round loaded values to half floats (simplifyAMDGCNImageIntrinsic). It is not known
    // whether that rounds as the shader asks. A frozen value is loaded as it is.
    if (to->getScalarType()->isHalfTy() && asksForHalfRounding(inst))
      operand = m_builder.CreateFreeze(operand);
    setValue(inst, m_builder.CreateFPCast(unfolded(m_builder, operand), to));
    return {};
  case spv::Op::OpQuantizeToF16:
    setValue(inst, m_builder.CreateQuantizeToFp16(operand));
    return {};
  default:
    return unsupported(inst);
  }
}

// Buffer addresses are integers here, so a cast between an address and a vector is a cast of integers.
Result<void> Translator::translateBitcast(const Instruction &inst) {
  Value *operand = DOVETAIL_TRY(operandValue(inst, 0));
  llvm::Type *to = DOVETAIL_TRY(valueType(inst, inst.resultType));
  llvm::Type *from = operand->getType();
  auto isCastable = [](llvm::Type *type) { return type->isIntOrIntVectorTy() || type->isFPOrFPVectorTy(); };
  if (from != to &&
      (!isCastable(from) || !isCastable(to) || from->getPrimitiveSizeInBits() != to->getPrimitiveSizeInBits()))
    return unsupported(inst, "a cast between these types is not supported");
  setValue(inst, m_builder.CreateBitCast(operand, to));
  return {};
}

} // namespace dovetail::spirv
