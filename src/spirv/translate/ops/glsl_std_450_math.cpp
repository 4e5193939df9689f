// SPDX-License-Identifier: MIT
//
// GLSL.std.450 on values: a switch of glsl_std_450.def, and its formulas.
#include "src/spirv/translate/ops/handlers.h"

using namespace llvm;

namespace dovetail::spirv {

namespace {

constexpr double Pi = 3.14159265358979323846;

Value *select(lgc::Builder &builder, CmpInst::Predicate predicate, Value *a, Value *b) {
  return builder.CreateSelect(builder.CreateICmp(predicate, a, b), a, b);
}

// Clamps to [low, high] and scales, ready for rounding to an integer.
Value *packNormalized(lgc::Builder &builder, Value *vector, unsigned bits, bool isSigned) {
  auto *type = cast<FixedVectorType>(vector->getType());
  unsigned count = type->getNumElements();
  double scale = isSigned ? double((1u << (bits - 1)) - 1) : double((1u << bits) - 1);
  Value *low = ConstantFP::get(type, isSigned ? -1.0 : 0.0);
  Value *clamped = builder.CreateFClamp(vector, low, ConstantFP::get(type, 1.0));
  Value *rounded =
      builder.CreateUnaryIntrinsic(Intrinsic::roundeven, builder.CreateFMul(clamped, ConstantFP::get(type, scale)));
  auto *integers = FixedVectorType::get(builder.getInt32Ty(), count);
  Value *words = isSigned ? builder.CreateFPToSI(rounded, integers) : builder.CreateFPToUI(rounded, integers);
  Value *packed = builder.getInt32(0);
  for (unsigned i = 0; i < count; ++i) {
    Value *word = builder.CreateAnd(builder.CreateExtractElement(words, i), builder.getInt32((1u << bits) - 1));
    packed = builder.CreateOr(packed, builder.CreateShl(word, i * bits));
  }
  return packed;
}

Value *unpackNormalized(lgc::Builder &builder, Value *packed, unsigned bits, bool isSigned) {
  unsigned count = 32 / bits;
  auto *type = FixedVectorType::get(builder.getFloatTy(), count);
  Value *result = PoisonValue::get(type);
  for (unsigned i = 0; i < count; ++i) {
    Value *word = builder.CreateShl(packed, 32 - (i + 1) * bits);
    word = isSigned ? builder.CreateAShr(word, 32 - bits) : builder.CreateLShr(word, 32 - bits);
    Value *number =
        isSigned ? builder.CreateSIToFP(word, builder.getFloatTy()) : builder.CreateUIToFP(word, builder.getFloatTy());
    result = builder.CreateInsertElement(result, number, i);
  }
  double scale = isSigned ? double((1u << (bits - 1)) - 1) : double((1u << bits) - 1);
  result = builder.CreateFDiv(result, ConstantFP::get(type, scale));
  // The most negative number lies just below -1.
  return isSigned ? builder.CreateFMax(result, ConstantFP::get(type, -1.0)) : result;
}

Value *dot(lgc::Builder &builder, Value *a, Value *b) {
  return a->getType()->isVectorTy() ? builder.CreateDotProduct(a, b) : builder.CreateFMul(a, b);
}

Value *length(lgc::Builder &builder, Value *x) {
  if (!x->getType()->isVectorTy())
    return builder.CreateUnaryIntrinsic(Intrinsic::fabs, x);
  return builder.CreateSqrt(dot(builder, x, x));
}

// x * (1 - a) + y * a: exact at both ends.
Value *mix(lgc::Builder &builder, Value *x, Value *y, Value *a) {
  Value *rest = builder.CreateFSub(ConstantFP::get(a->getType(), 1.0), a);
  return builder.CreateFAdd(builder.CreateFMul(x, rest), builder.CreateFMul(y, a));
}

Value *step(lgc::Builder &builder, Value *edge, Value *x, Type *type) {
  Value *isBelow = builder.CreateFCmpOLT(x, edge);
  return builder.CreateSelect(isBelow, ConstantFP::get(type, 0.0), ConstantFP::get(type, 1.0));
}

Value *faceForward(lgc::Builder &builder, Value *n, Value *i, Value *reference) {
  if (n->getType()->isVectorTy())
    return builder.CreateFaceForward(n, i, reference);
  Value *isAway = builder.CreateFCmpOLT(dot(builder, reference, i), ConstantFP::get(n->getType(), 0.0));
  return builder.CreateSelect(isAway, n, builder.CreateFNeg(n));
}

Value *reflectRay(lgc::Builder &builder, Value *i, Value *n) {
  if (i->getType()->isVectorTy())
    return builder.CreateReflect(i, n);
  Value *twice = builder.CreateFMul(dot(builder, n, i), ConstantFP::get(i->getType(), 2.0));
  return builder.CreateFSub(i, builder.CreateFMul(twice, n));
}

// eta may be narrower or wider than the vectors' components.
Value *refractRay(lgc::Builder &builder, Value *i, Value *n, Value *eta) {
  Type *type = i->getType();
  eta = builder.CreateFPCast(eta, type->getScalarType());
  if (type->isVectorTy())
    return builder.CreateRefract(i, n, eta);
  Value *one = ConstantFP::get(type, 1.0), *zero = ConstantFP::get(type, 0.0);
  Value *cosine = builder.CreateFMul(n, i);
  Value *k = builder.CreateFSub(one, builder.CreateFMul(cosine, cosine));
  k = builder.CreateFSub(one, builder.CreateFMul(builder.CreateFMul(eta, eta), k));
  Value *along = builder.CreateFAdd(builder.CreateFMul(eta, cosine), builder.CreateSqrt(k));
  Value *bent = builder.CreateFSub(builder.CreateFMul(eta, i), builder.CreateFMul(along, n));
  return builder.CreateSelect(builder.CreateFCmpOLT(k, zero), zero, bent);
}

Value *normalize(lgc::Builder &builder, Value *x) {
  return x->getType()->isVectorTy() ? builder.CreateNormalizeVector(x) : builder.CreateFSign(x);
}

Type *pairOfHalves(lgc::Builder &builder) {
  return FixedVectorType::get(builder.getHalfTy(), 2);
}

} // namespace

Value *makeGlslMath(lgc::Builder &b, GLSLstd450 instruction, ArrayRef<Value *> x, Type *to) {
  switch (instruction) {
#define GLSL_MATH(name, ...)                                                                                           \
  case GLSLstd450##name:                                                                                               \
    return __VA_ARGS__;
#include "src/spirv/translate/ops/glsl_std_450.def"
#undef GLSL_MATH
  default:
    return nullptr;
  }
}

} // namespace dovetail::spirv
