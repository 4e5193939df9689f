// SPDX-License-Identifier: MIT
//
// Conversions between numeric types. A float that does not fit an integer gives an undefined value in SPIR-V but poison
// in LLVM; freeze makes one of the other.
#include "src/spirv/translate/translator.h"

namespace dovetail::spirv {

bool Translator::asksForHalfRounding(const Instruction &inst) const {
  return m_builder.shaderModes().common.fp16RoundMode != lgc::FpRoundMode::DontCare ||
         decorationOperand(inst.result, spv::Decoration::FPRoundingMode);
}

Result<void> Translator::translateConversion(const Instruction &inst) {
  Value *operand = DOVETAIL_TRY(operandValue(inst, 0));
  llvm::Type *to = DOVETAIL_TRY(valueType(inst, inst.resultType));
  if (decorationOperand(inst.result, spv::Decoration::FPRoundingMode) ==
          static_cast<uint32_t>(spv::FPRoundingMode::RTZ) &&
      to->getScalarType()->isHalfTy())
    return unsupported(inst, "decoration FPRoundingMode RTZ is not supported");
  switch (inst.opcode) {
  case spv::Op::OpConvertFToU:
    setValue(inst, m_builder.CreateFreeze(m_builder.CreateFPToUI(operand, to)));
    return {};
  case spv::Op::OpConvertFToS:
    setValue(inst, m_builder.CreateFreeze(m_builder.CreateFPToSI(operand, to)));
    return {};
  case spv::Op::OpConvertSToF:
    setValue(inst, m_builder.CreateSIToFP(operand, to));
    return {};
  case spv::Op::OpConvertUToF:
    setValue(inst, m_builder.CreateUIToFP(operand, to));
    return {};
  case spv::Op::OpUConvert:
    setValue(inst, m_builder.CreateZExtOrTrunc(operand, to));
    return {};
  case spv::Op::OpSConvert:
    setValue(inst, m_builder.CreateSExtOrTrunc(operand, to));
    return {};
  case spv::Op::OpFConvert:
    // LLVM lets the texture unit round to half floats what it loads (simplifyAMDGCNImageIntrinsic), which is not known
    // to be as the shader asks. A value that is frozen is loaded as it is.
    if (to->getScalarType()->isHalfTy() && asksForHalfRounding(inst))
      operand = m_builder.CreateFreeze(operand);
    setValue(inst, m_builder.CreateFPCast(operand, to));
    return {};
  case spv::Op::OpQuantizeToF16:
    setValue(inst, m_builder.CreateQuantizeToFp16(operand));
    return {};
  default:
    return unsupported(inst);
  }
}

// Buffer addresses are integers here, so a cast between one and a vector is a cast of integers.
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
