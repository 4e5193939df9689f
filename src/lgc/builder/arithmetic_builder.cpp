// SPDX-License-Identifier: MIT
//
// Arithmetic other than trigonometry, exponentials and their relatives. The accuracy is that of Vulkan's precision
// table. Values that GLSL leaves undefined may be any number, but no operation here traps or makes poison out of
// defined operands.
#include "src/lgc/builder/builder_impl.h"
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace lgc {

namespace {

Constant *fp(Value *like, double value) {
  return ConstantFP::get(like->getType(), value);
}
Constant *integer(Value *like, int64_t value) {
  return ConstantInt::getSigned(like->getType(), value);
}

bool isElement(Value *value, bool (Type::*is)() const) {
  return (value->getType()->getScalarType()->*is)();
}

// The i32 scalar as an integer of `like`'s shape and width.
Value *shapedLike(IRBuilderBase &builder, Value *scalar, Value *like) {
  Value *resized = builder.CreateZExtOrTrunc(scalar, like->getType()->getScalarType());
  if (auto *vector = dyn_cast<FixedVectorType>(like->getType()))
    return builder.CreateVectorSplat(vector->getNumElements(), resized);
  return resized;
}

// The lowest `count` bits set. LLVM makes poison of a shift by the full width, so a select handles that count.
Value *lowBits(IRBuilderBase &builder, Value *count) {
  unsigned width = count->getType()->getScalarSizeInBits();
  Value *amount = builder.CreateAnd(count, integer(count, width - 1));
  Value *mask = builder.CreateSub(builder.CreateShl(integer(count, 1), amount), integer(count, 1));
  return builder.CreateSelect(builder.CreateICmpUGE(count, integer(count, width)), integer(count, -1), mask);
}

} // namespace

Value *BuilderImpl::divide(Value *x, Value *y) {
  if (!isElement(x, &Type::isFloatTy))
    return CreateFDiv(x, y);
  return mapElements(
      {x, y}, [&](Values v) { return CreateFMul(v[0], CreateIntrinsic(Intrinsic::amdgcn_rcp, getFloatTy(), v[1])); });
}

Value *BuilderImpl::CreateDotProduct(Value *a, Value *b, const Twine &) {
  auto *vector = dyn_cast<FixedVectorType>(a->getType());
  bool isFloat = a->getType()->isFPOrFPVectorTy();
  if (!vector)
    return isFloat ? CreateFMul(a, b) : CreateMul(a, b);

  Value *sum = nullptr;
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    Value *x = CreateExtractElement(a, i);
    Value *y = CreateExtractElement(b, i);
    if (isFloat)
      sum = sum ? CreateFma(x, y, sum) : CreateFMul(x, y);
    else
      sum = sum ? CreateAdd(CreateMul(x, y), sum) : CreateMul(x, y);
  }
  return sum;
}

// The remainder is the whole divisor if the quotient is rounded to just below an integer. It becomes 0 then.
Value *BuilderImpl::CreateFMod(Value *dividend, Value *divisor, const Twine &) {
  Value *floor = CreateUnaryIntrinsic(Intrinsic::floor, divide(dividend, divisor));
  Value *remainder = CreateFma(CreateFNeg(divisor), floor, dividend);
  return CreateSelect(CreateFCmpOEQ(remainder, divisor), fp(remainder, 0.0), remainder);
}

// LLVM's srem is undefined for a divisor of 0, and for -1 with the smallest dividend. The remainder by 1 is the same as
// that by -1.
Value *BuilderImpl::CreateSMod(Value *dividend, Value *divisor, const Twine &) {
  if (const APInt * number; match(divisor, m_APInt(number)) && number->isStrictlyPositive()) {
    if (number->isPowerOf2())
      return CreateAnd(dividend, ConstantInt::get(divisor->getType(), *number - 1));
    Value *remainder = CreateSRem(dividend, divisor);
    return CreateSelect(CreateICmpSLT(remainder, integer(divisor, 0)), CreateAdd(remainder, divisor), remainder);
  }
  Value *isBad = CreateOr(CreateICmpEQ(divisor, integer(divisor, 0)), CreateICmpEQ(divisor, integer(divisor, -1)));
  Value *remainder = CreateSRem(dividend, CreateSelect(isBad, integer(divisor, 1), divisor));
  Value *signsDiffer = CreateICmpSLT(CreateXor(remainder, divisor), integer(divisor, 0));
  Value *adjust = CreateAnd(CreateICmpNE(remainder, integer(divisor, 0)), signsDiffer);
  return CreateSelect(adjust, CreateAdd(remainder, divisor), remainder);
}

// v_mad_f32 flushes denormals, so LLVM makes it of fmuladd only where denormals are flushed.
Value *BuilderImpl::CreateFma(Value *a, Value *b, Value *c, const Twine &) {
  bool mayRoundTwice = isElement(a, &Type::isFloatTy) && shaderModes().common.fp32DenormMode != FpDenormMode::FlushNone;
  return CreateIntrinsic(mayRoundTwice ? Intrinsic::fmuladd : Intrinsic::fma, a->getType(), {a, b, c});
}

Value *BuilderImpl::CreateSAbs(Value *x, const Twine &) {
  return CreateBinaryIntrinsic(Intrinsic::abs, x, getFalse());
}

Value *BuilderImpl::CreateFSign(Value *x, const Twine &) {
  // Zeros keep their sign.
  Value *notAbove = CreateSelect(CreateFCmpOLT(x, fp(x, 0.0)), fp(x, -1.0), x);
  return CreateSelect(CreateFCmpOGT(x, fp(x, 0.0)), fp(x, 1.0), notAbove);
}

Value *BuilderImpl::CreateSSign(Value *x, const Twine &) {
  Value *atMostOne = CreateBinaryIntrinsic(Intrinsic::smin, x, integer(x, 1));
  return CreateBinaryIntrinsic(Intrinsic::smax, atMostOne, integer(x, -1));
}

Value *BuilderImpl::CreateFract(Value *x, const Twine &) {
  return mapElements(
      x, [&](Values v) -> Value * { return CreateIntrinsic(Intrinsic::amdgcn_fract, v[0]->getType(), v[0]); });
}

Value *BuilderImpl::CreateSmoothStep(Value *edge0, Value *edge1, Value *x, const Twine &) {
  Value *ratio = divide(CreateFSub(x, edge0), CreateFSub(edge1, edge0));
  Value *t = CreateFClamp(ratio, fp(x, 0.0), fp(x, 1.0));
  return CreateFMul(CreateFMul(t, t), CreateFma(fp(t, -2.0), t, fp(t, 3.0)));
}

// The instructions take an exponent of i32 (i16 for f16). Beyond +-4200 every exponent gives the same as the bound, for
// f64, too; beyond +-100 for f16. InstCombine adds the exponents of several operations in a row without a check that
// the sum fits (LLVM #199274). The sum of hundreds of clamped exponents fits.
Value *BuilderImpl::CreateLdexp(Value *x, Value *exp, const Twine &) {
  const bool isHalf = x->getType()->getScalarType()->isHalfTy();
  if (const unsigned bits = exp->getType()->getScalarSizeInBits(); bits > 16 || (isHalf && bits > 8)) {
    const int most = isHalf ? 100 : 4200;
    Value *low = CreateBinaryIntrinsic(Intrinsic::smax, exp, integer(exp, -most));
    exp = CreateBinaryIntrinsic(Intrinsic::smin, low, integer(exp, most));
  }
  return mapElements({x, exp}, [&](Values v) -> Value * {
    Value *exponent = CreateSExtOrTrunc(v[1], v[0]->getType()->isHalfTy() ? getInt16Ty() : getInt32Ty());
    return CreateIntrinsic(Intrinsic::ldexp, {v[0]->getType(), exponent->getType()}, {v[0], exponent});
  });
}

Value *BuilderImpl::CreateExtractSignificand(Value *x, const Twine &) {
  return mapElements(
      x, [&](Values v) -> Value * { return CreateIntrinsic(Intrinsic::amdgcn_frexp_mant, v[0]->getType(), v[0]); });
}

Value *BuilderImpl::CreateExtractExponent(Value *x, const Twine &) {
  return mapElements(x, [&](Values v) -> Value * {
    Type *type = v[0]->getType()->isHalfTy() ? getInt16Ty() : getInt32Ty();
    return CreateIntrinsic(Intrinsic::amdgcn_frexp_exp, {type, v[0]->getType()}, v[0]);
  });
}

Value *BuilderImpl::CreateCrossProduct(Value *a, Value *b, const Twine &) {
  Value *result = PoisonValue::get(a->getType());
  for (unsigned i = 0; i < 3; ++i) {
    unsigned next = (i + 1) % 3;
    unsigned last = (i + 2) % 3;
    Value *minus = CreateFMul(CreateExtractElement(a, last), CreateExtractElement(b, next));
    Value *element = CreateFma(CreateExtractElement(a, next), CreateExtractElement(b, last), CreateFNeg(minus));
    result = CreateInsertElement(result, element, i);
  }
  return result;
}

Value *BuilderImpl::CreateNormalizeVector(Value *x, const Twine &) {
  auto *vector = dyn_cast<FixedVectorType>(x->getType());
  if (!vector)
    return CreateFSign(x);
  unsigned count = vector->getNumElements();

  // The squares of f16 elements overflow from 256 on.
  if (isElement(x, &Type::isHalfTy)) {
    Value *wide = CreateFPExt(x, FixedVectorType::get(getFloatTy(), count));
    return CreateFPTrunc(CreateNormalizeVector(wide), x->getType());
  }
  Value *factor = CreateInverseSqrt(CreateDotProduct(x, x));
  if (isElement(x, &Type::isFloatTy)) {
    // The legacy multiplication gives 0 for 0 * infinity: the result for a zero vector.
    return mapElements(x, [&](Values v) -> Value * {
      return CreateIntrinsic(Intrinsic::amdgcn_fmul_legacy, {}, {v[0], factor});
    });
  }
  Value *isInfinite = CreateFCmpOEQ(factor, ConstantFP::getInfinity(factor->getType()));
  return CreateFMul(x, CreateVectorSplat(count, CreateSelect(isInfinite, fp(factor, 0.0), factor)));
}

Value *BuilderImpl::CreateFaceForward(Value *n, Value *i, Value *nref, const Twine &) {
  Value *dot = CreateDotProduct(nref, i);
  return CreateSelect(CreateFCmpOLT(dot, fp(dot, 0.0)), n, CreateFNeg(n));
}

Value *BuilderImpl::CreateReflect(Value *i, Value *n, const Twine &) {
  Value *factor = CreateFMul(CreateDotProduct(n, i), ConstantFP::get(i->getType()->getScalarType(), -2.0));
  if (auto *vector = dyn_cast<FixedVectorType>(i->getType()))
    factor = CreateVectorSplat(vector->getNumElements(), factor);
  return CreateFma(factor, n, i);
}

Value *BuilderImpl::CreateRefract(Value *i, Value *n, Value *eta, const Twine &) {
  eta = CreateFPCast(eta, i->getType()->getScalarType());
  Value *dot = CreateDotProduct(n, i);
  Value *sine = CreateFma(CreateFNeg(dot), dot, fp(dot, 1.0));
  Value *k = CreateFma(CreateFNeg(CreateFMul(eta, eta)), sine, fp(dot, 1.0));
  Value *isTotal = CreateFCmpOLT(k, fp(k, 0.0));
  Value *factor = CreateFNeg(CreateFma(eta, dot, CreateSqrt(k)));
  if (auto *vector = dyn_cast<FixedVectorType>(i->getType())) {
    eta = CreateVectorSplat(vector->getNumElements(), eta);
    factor = CreateVectorSplat(vector->getNumElements(), factor);
  }
  return CreateSelect(isTotal, fp(i, 0.0), CreateFma(factor, n, CreateFMul(eta, i)));
}

Value *BuilderImpl::CreateFMin(Value *a, Value *b, const Twine &) {
  return CreateMinNum(a, b);
}

Value *BuilderImpl::CreateFMax(Value *a, Value *b, const Twine &) {
  return CreateMaxNum(a, b);
}

// The median of three is one instruction. Its result for NaN depends on whether LLVM negates its operands, and on which
// bound LLVM knows to be infinite. With constant bounds, the back end finds the median (or the free clamp to [0, 1])
// itself, and max and min are better for the optimiser. GFX8 has no median of 16-bit numbers.
Value *BuilderImpl::CreateFClamp(Value *x, Value *low, Value *high, const Twine &) {
  bool isConstant = isa<Constant>(low) && isa<Constant>(high);
  const bool hasMedian =
      isElement(x, &Type::isFloatTy) || (isElement(x, &Type::isHalfTy) && m_targetInfo.gfxIp.major >= 9);
  if (isConstant || !hasMedian)
    return CreateMinNum(CreateMaxNum(x, low), high);
  return mapElements({x, low, high},
                     [&](Values v) -> Value * { return CreateIntrinsic(Intrinsic::amdgcn_fmed3, v[0]->getType(), v); });
}

// Uses class tests, because fast-math flags would fold a comparison.
Value *BuilderImpl::CreateIsInf(Value *x, const Twine &) {
  return createIsFPClass(x, fcInf);
}

Value *BuilderImpl::CreateIsNaN(Value *x, const Twine &) {
  return createIsFPClass(x, fcNan);
}

Value *BuilderImpl::CreateInsertBitField(Value *base, Value *insert, Value *offset, Value *count, const Twine &) {
  unsigned width = base->getType()->getScalarSizeInBits();
  // An offset of the full width is allowed when the count is 0; the mask is empty then.
  Value *amount = shapedLike(*this, CreateAnd(offset, getInt32(width - 1)), base);
  Value *mask = CreateShl(lowBits(*this, shapedLike(*this, count, base)), amount);
  return CreateOr(CreateAnd(CreateShl(insert, amount), mask), CreateAnd(base, CreateNot(mask)));
}

Value *BuilderImpl::CreateExtractBitField(Value *base, Value *offset, Value *count, bool isSigned, const Twine &) {
  unsigned width = base->getType()->getScalarSizeInBits();
  if (width == 32) {
    // The instructions look at five bits of the count, so a count of 32 is a case of its own. Count 0 gives 0.
    Intrinsic::ID id = isSigned ? Intrinsic::amdgcn_sbfe : Intrinsic::amdgcn_ubfe;
    Value *isWhole = CreateICmpEQ(count, getInt32(32));
    return mapElements(base, [&](Values v) {
      return CreateSelect(isWhole, v[0], CreateIntrinsic(id, getInt32Ty(), {v[0], offset, count}));
    });
  }
  Value *first = shapedLike(*this, CreateAnd(offset, getInt32(width - 1)), base);
  Value *bits = shapedLike(*this, count, base);
  if (!isSigned)
    return CreateAnd(CreateLShr(base, first), lowBits(*this, bits));

  // Shifts the field up to the sign bit and down again. Count 0 would be a shift by the full width, so a select handles
  // it.
  Value *mask = integer(bits, width - 1);
  Value *down = CreateAnd(CreateSub(integer(bits, width), bits), mask);
  Value *up = CreateAnd(CreateSub(down, first), mask);
  Value *field = CreateAShr(CreateShl(base, up), down);
  return CreateSelect(CreateICmpEQ(bits, integer(bits, 0)), integer(bits, 0), field);
}

Value *BuilderImpl::CreateFindLsb(Value *x, const Twine &) {
  Value *number = CreateBinaryIntrinsic(Intrinsic::cttz, x, getTrue());
  return CreateSelect(CreateICmpEQ(x, integer(x, 0)), integer(x, -1), number);
}

Value *BuilderImpl::CreateFindUMsb(Value *x, const Twine &) {
  Value *zeros = CreateBinaryIntrinsic(Intrinsic::ctlz, x, getTrue());
  Value *number = CreateSub(integer(x, x->getType()->getScalarSizeInBits() - 1), zeros);
  return CreateSelect(CreateICmpEQ(x, integer(x, 0)), integer(x, -1), number);
}

// The highest bit that differs from the sign.
Value *BuilderImpl::CreateFindSMsb(Value *x, const Twine &) {
  Value *sign = CreateAShr(x, integer(x, x->getType()->getScalarSizeInBits() - 1));
  return CreateFindUMsb(CreateXor(x, sign));
}

Value *BuilderImpl::CreateQuantizeToFp16(Value *x, const Twine &) {
  Type *halfType = x->getType()->getWithNewType(getHalfTy());
  Value *half = CreateFPTrunc(x, halfType);
  Value *zero = CreateBinaryIntrinsic(Intrinsic::copysign, fp(x, 0.0), x);
  return CreateSelect(createIsFPClass(half, fcSubnormal), zero, CreateFPExt(half, x->getType()));
}

} // namespace lgc
