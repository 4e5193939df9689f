// SPDX-License-Identifier: MIT
//
// Integer and floating-point arithmetic and bit operations. For some operands (division by zero, shifts by too much),
// SPIR-V has an undefined value where LLVM has undefined behaviour or poison. Such an operand is first brought into
// range; for constants, folding removes that.
#include "src/spirv/translate/translator.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>

namespace dovetail::spirv {

namespace {

using llvm::ConstantInt;
using llvm::Value;

bool isSafeDivisor(const Value *divisor) {
  auto *constant = llvm::dyn_cast<llvm::Constant>(divisor);
  if (!constant)
    return false;
  auto isSafe = [](const llvm::Constant *element) {
    auto *number = llvm::dyn_cast_or_null<ConstantInt>(element);
    return number && !number->isZero() && !number->isMinusOne();
  };
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(divisor->getType());
  if (!vector)
    return isSafe(constant);
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    if (!isSafe(constant->getAggregateElement(i)))
      return false;
  }
  return true;
}

// A divisor that is not zero and does not overflow the quotient.
Value *safeDivisor(lgc::Builder &builder, Value *dividend, Value *divisor, bool isSigned) {
  if (isSafeDivisor(divisor))
    return divisor;
  llvm::Type *type = divisor->getType();
  Value *unsafe = builder.CreateICmpEQ(divisor, ConstantInt::get(type, 0));
  if (isSigned) {
    Value *smallest = ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getScalarSizeInBits()));
    Value *overflows = builder.CreateAnd(builder.CreateICmpEQ(dividend, smallest),
                                         builder.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type)));
    unsafe = builder.CreateOr(unsafe, overflows);
  }
  return builder.CreateSelect(unsafe, ConstantInt::get(type, 1), divisor);
}

// The hardware shifts modulo the width, so this costs nothing there.
Value *safeShift(lgc::Builder &builder, Value *base, Value *shift) {
  llvm::Type *type = base->getType();
  return builder.CreateAnd(builder.CreateZExtOrTrunc(shift, type), type->getScalarSizeInBits() - 1);
}

Value *signedModulo(lgc::Builder &builder, Value *a, Value *b) {
  if (!llvm::isa<llvm::Constant>(a) || !llvm::isa<llvm::Constant>(b))
    return builder.CreateSMod(a, b);
  // The folder does not know SMod. It is the remainder, plus the divisor if their signs differ.
  Value *remainder = builder.CreateSRem(a, safeDivisor(builder, a, b, true));
  Value *zero = ConstantInt::get(a->getType(), 0);
  Value *differs = builder.CreateAnd(builder.CreateICmpNE(remainder, zero),
                                     builder.CreateICmpSLT(builder.CreateXor(remainder, b), zero));
  return builder.CreateSelect(differs, builder.CreateAdd(remainder, b), remainder);
}

// Vulkan asks for 2.5 ULP of an f32 or f16 quotient; the reciprocal and a multiplication meet that.
Value *divide(lgc::Builder &builder, Value *a, Value *b) {
  llvm::Type *scalar = a->getType()->getScalarType();
  if (scalar->isDoubleTy())
    return builder.CreateFDiv(a, b);
  llvm::IRBuilderBase::FastMathFlagGuard guard(builder);
  llvm::FastMathFlags flags = builder.getFastMathFlags();
  flags.setAllowReciprocal();
  builder.setFastMathFlags(flags);
  llvm::MDNode *accuracy = scalar->isFloatTy() ? llvm::MDBuilder(builder.getContext()).createFPMath(2.5f) : nullptr;
  return builder.CreateFDiv(a, b, "", accuracy);
}

// The high half of a 64-bit by 64-bit product, from products of 32-bit halves (LLVM has no 128-bit multiplication for
// this target).
Value *highProduct64(lgc::Builder &builder, Value *a, Value *b) {
  llvm::Type *type = a->getType();
  Value *lowMask = ConstantInt::get(type, 0xffffffff);
  Value *aLow = builder.CreateAnd(a, lowMask);
  Value *bLow = builder.CreateAnd(b, lowMask);
  Value *aHigh = builder.CreateLShr(a, 32);
  Value *bHigh = builder.CreateLShr(b, 32);
  Value *carry = builder.CreateLShr(builder.CreateMul(aLow, bLow), 32);
  Value *middle = builder.CreateAdd(builder.CreateMul(aHigh, bLow), carry);
  Value *middle2 = builder.CreateAdd(builder.CreateMul(aLow, bHigh), builder.CreateAnd(middle, lowMask));
  return builder.CreateAdd(builder.CreateAdd(builder.CreateMul(aHigh, bHigh), builder.CreateLShr(middle, 32)),
                           builder.CreateLShr(middle2, 32));
}

Value *highProduct(lgc::Builder &builder, Value *a, Value *b, bool isSigned) {
  llvm::Type *type = a->getType();
  unsigned width = type->getScalarSizeInBits();
  if (width == 64) {
    Value *high = highProduct64(builder, a, b);
    if (!isSigned)
      return high;
    // A negative operand counts as 2^64 too much.
    Value *correction = builder.CreateAdd(builder.CreateAnd(builder.CreateAShr(a, 63), b),
                                          builder.CreateAnd(builder.CreateAShr(b, 63), a));
    return builder.CreateSub(high, correction);
  }
  llvm::Type *wide = type->getWithNewBitWidth(2 * width);
  Value *wideA = isSigned ? builder.CreateSExt(a, wide) : builder.CreateZExt(a, wide);
  Value *wideB = isSigned ? builder.CreateSExt(b, wide) : builder.CreateZExt(b, wide);
  return builder.CreateTrunc(builder.CreateLShr(builder.CreateMul(wideA, wideB), width), type);
}

} // namespace

Result<void> Translator::translateArithmetic(const Instruction &inst) {
  Value *a = DOVETAIL_TRY(operandValue(inst, 0));
  if (inst.operandCount() == 1) {
    setValue(inst, inst.opcode == spv::Op::OpSNegate   ? m_builder.CreateNeg(a)
                   : inst.opcode == spv::Op::OpFNegate ? m_builder.CreateFNeg(a)
                                                       : m_builder.CreateNot(a));
    return {};
  }
  Value *b = DOVETAIL_TRY(operandValue(inst, 1));
  // The folder does not know whether the shader flushes denormals, so it must not fold. LLVM's later passes know it.
  if (a->getType()->isFPOrFPVectorTy() && isa<llvm::Constant>(a) && isa<llvm::Constant>(b))
    a = m_builder.CreateFreeze(a);
  Value *result = nullptr;
  switch (inst.opcode) {
  case spv::Op::OpIAdd:
    result = m_builder.CreateAdd(a, b);
    break;
  case spv::Op::OpFAdd:
    result = m_builder.CreateFAdd(a, b);
    break;
  case spv::Op::OpISub:
    result = m_builder.CreateSub(a, b);
    break;
  case spv::Op::OpFSub:
    result = m_builder.CreateFSub(a, b);
    break;
  case spv::Op::OpIMul:
    result = m_builder.CreateMul(a, b);
    break;
  case spv::Op::OpFMul:
    result = m_builder.CreateFMul(a, b);
    break;
  case spv::Op::OpUDiv:
    result = m_builder.CreateUDiv(a, safeDivisor(m_builder, a, b, false));
    break;
  case spv::Op::OpSDiv:
    result = m_builder.CreateSDiv(a, safeDivisor(m_builder, a, b, true));
    break;
  case spv::Op::OpFDiv:
    result = divide(m_builder, a, b);
    break;
  case spv::Op::OpUMod:
    result = m_builder.CreateURem(a, safeDivisor(m_builder, a, b, false));
    break;
  case spv::Op::OpSRem:
    result = m_builder.CreateSRem(a, safeDivisor(m_builder, a, b, true));
    break;
  case spv::Op::OpSMod:
    result = signedModulo(m_builder, a, b);
    break;
  case spv::Op::OpFRem:
    result = m_builder.CreateFRem(a, b);
    break;
  case spv::Op::OpFMod:
    result = m_builder.CreateFMod(a, b);
    break;
  case spv::Op::OpShiftRightLogical:
    result = m_builder.CreateLShr(a, safeShift(m_builder, a, b));
    break;
  case spv::Op::OpShiftRightArithmetic:
    result = m_builder.CreateAShr(a, safeShift(m_builder, a, b));
    break;
  case spv::Op::OpShiftLeftLogical:
    result = m_builder.CreateShl(a, safeShift(m_builder, a, b));
    break;
  case spv::Op::OpBitwiseOr:
    result = m_builder.CreateOr(a, b);
    break;
  case spv::Op::OpBitwiseXor:
    result = m_builder.CreateXor(a, b);
    break;
  case spv::Op::OpBitwiseAnd:
    result = m_builder.CreateAnd(a, b);
    break;
  default:
    return unsupported(inst);
  }
  setValue(inst, result);
  return {};
}

// Results are structures of two members: sum and carry, difference and borrow, low and high half.
Result<void> Translator::translateExtendedArithmetic(const Instruction &inst) {
  llvm::Type *pairType = DOVETAIL_TRY(valueType(inst, inst.resultType));
  Value *a = DOVETAIL_TRY(operandValue(inst, 0));
  Value *b = DOVETAIL_TRY(operandValue(inst, 1));
  Value *first = nullptr;
  Value *second = nullptr;
  if (inst.opcode == spv::Op::OpIAddCarry || inst.opcode == spv::Op::OpISubBorrow) {
    bool isAdd = inst.opcode == spv::Op::OpIAddCarry;
    first = isAdd ? m_builder.CreateAdd(a, b) : m_builder.CreateSub(a, b);
    Value *wraps = isAdd ? m_builder.CreateICmpULT(first, a) : m_builder.CreateICmpULT(a, b);
    second = m_builder.CreateZExt(wraps, a->getType());
  } else {
    first = m_builder.CreateMul(a, b);
    second = highProduct(m_builder, a, b, inst.opcode == spv::Op::OpSMulExtended);
  }
  Value *pair = m_builder.CreateInsertValue(llvm::PoisonValue::get(pairType), first, 0);
  setValue(inst, m_builder.CreateInsertValue(pair, second, 1));
  return {};
}

Result<void> Translator::translateBitField(const Instruction &inst) {
  Value *base = DOVETAIL_TRY(operandValue(inst, 0));
  auto number = [&](unsigned operand) -> Result<Value *> {
    Value *given = DOVETAIL_TRY(operandValue(inst, operand));
    return m_builder.CreateZExtOrTrunc(given, m_builder.getInt32Ty());
  };
  switch (inst.opcode) {
  case spv::Op::OpBitFieldInsert: {
    Value *insert = DOVETAIL_TRY(operandValue(inst, 1));
    Value *offset = DOVETAIL_TRY(number(2));
    Value *count = DOVETAIL_TRY(number(3));
    setValue(inst, m_builder.CreateInsertBitField(base, insert, offset, count));
    return {};
  }
  case spv::Op::OpBitFieldSExtract:
  case spv::Op::OpBitFieldUExtract: {
    Value *offset = DOVETAIL_TRY(number(1));
    Value *count = DOVETAIL_TRY(number(2));
    setValue(inst, m_builder.CreateExtractBitField(base, offset, count, inst.opcode == spv::Op::OpBitFieldSExtract));
    return {};
  }
  case spv::Op::OpBitReverse:
    setValue(inst, m_builder.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, base));
    return {};
  default: {
    Value *count = m_builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, base);
    setValue(inst, m_builder.CreateZExtOrTrunc(count, resultType(inst).value));
    return {};
  }
  }
}

} // namespace dovetail::spirv
