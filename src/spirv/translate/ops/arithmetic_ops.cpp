// SPDX-License-Identifier: MIT
#include "src/spirv/translate/ops/arithmetic_ops.h"
#include "src/spirv/translate/ops/handlers.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/MDBuilder.h>

namespace dovetail::spirv {

using llvm::ConstantInt;
using llvm::Value;

namespace {

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

Value *pairOf(lgc::Builder &builder, Value *first, Value *second) {
  llvm::Type *type = llvm::StructType::get(first->getType(), second->getType());
  Value *pair = builder.CreateInsertValue(llvm::PoisonValue::get(type), first, 0);
  return builder.CreateInsertValue(pair, second, 1);
}

// An offset or a count of bits.
Result<Value *> bitNumber(Services &s, const Instruction &inst, unsigned operand) {
  Value *given = DOVETAIL_TRY(s.operand(inst, operand));
  return s.builder.CreateZExtOrTrunc(given, s.builder.getInt32Ty());
}

} // namespace

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
Value *floatQuotient(lgc::Builder &builder, Value *a, Value *b) {
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

Value *unfolded(lgc::Builder &builder, Value *value) {
  return llvm::isa<llvm::Constant>(value) ? builder.CreateFreeze(value) : value;
}

Value *unfolded(lgc::Builder &builder, Value *a, Value *b) {
  return llvm::isa<llvm::Constant>(b) ? unfolded(builder, a) : a;
}

Value *sumWithCarry(lgc::Builder &builder, Value *a, Value *b) {
  Value *sum = builder.CreateAdd(a, b);
  return pairOf(builder, sum, builder.CreateZExt(builder.CreateICmpULT(sum, a), a->getType()));
}

Value *differenceWithBorrow(lgc::Builder &builder, Value *a, Value *b) {
  Value *difference = builder.CreateSub(a, b);
  return pairOf(builder, difference, builder.CreateZExt(builder.CreateICmpULT(a, b), a->getType()));
}

Value *wideProduct(lgc::Builder &builder, Value *a, Value *b, bool isSigned) {
  Value *low = builder.CreateMul(a, b);
  return pairOf(builder, low, highProduct(builder, a, b, isSigned));
}

Value *reduceBools(lgc::Builder &builder, Value *vector, bool isAll) {
  auto *type = llvm::dyn_cast<llvm::FixedVectorType>(vector->getType());
  if (!type)
    return vector;
  Value *result = builder.CreateExtractElement(vector, uint64_t(0));
  for (unsigned i = 1; i < type->getNumElements(); ++i) {
    Value *component = builder.CreateExtractElement(vector, uint64_t(i));
    result = isAll ? builder.CreateAnd(result, component) : builder.CreateOr(result, component);
  }
  return result;
}

Result<Value *> translateBitFieldInsert(Services &s, const Instruction &inst) {
  Value *base = DOVETAIL_TRY(s.operand(inst, 0));
  Value *insert = DOVETAIL_TRY(s.operand(inst, 1));
  Value *offset = DOVETAIL_TRY(bitNumber(s, inst, 2));
  Value *count = DOVETAIL_TRY(bitNumber(s, inst, 3));
  return s.builder.CreateInsertBitField(base, insert, offset, count);
}

Result<Value *> translateBitFieldExtract(Services &s, const Instruction &inst, bool isSigned) {
  Value *base = DOVETAIL_TRY(s.operand(inst, 0));
  Value *offset = DOVETAIL_TRY(bitNumber(s, inst, 1));
  Value *count = DOVETAIL_TRY(bitNumber(s, inst, 2));
  return s.builder.CreateExtractBitField(base, offset, count, isSigned);
}

} // namespace dovetail::spirv
