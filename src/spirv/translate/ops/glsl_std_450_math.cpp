// SPDX-License-Identifier: MIT
//
// GLSL.std.450 on values. Operations that need knowledge of the target (ranges, precision, special cases) are Builder
// operations. Operations that are one LLVM instruction or a plain formula are written here. Packing works on i32 with
// the first component in the lowest bits.
#include "src/spirv/translate/ops/glsl_std_450_math.h"

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

Value *makeCommon(lgc::Builder &builder, GLSLstd450 instruction, ArrayRef<Value *> x, Type *resultType) {
  switch (instruction) {
  // Round may go either way at halves.
  case GLSLstd450Round:
  case GLSLstd450RoundEven:
    return builder.CreateUnaryIntrinsic(Intrinsic::roundeven, x[0]);
  case GLSLstd450Trunc:
    return builder.CreateUnaryIntrinsic(Intrinsic::trunc, x[0]);
  case GLSLstd450FAbs:
    return builder.CreateUnaryIntrinsic(Intrinsic::fabs, x[0]);
  case GLSLstd450SAbs:
    return builder.CreateSAbs(x[0]);
  case GLSLstd450FSign:
    return builder.CreateFSign(x[0]);
  case GLSLstd450SSign:
    return builder.CreateSSign(x[0]);
  case GLSLstd450Floor:
    return builder.CreateUnaryIntrinsic(Intrinsic::floor, x[0]);
  case GLSLstd450Ceil:
    return builder.CreateUnaryIntrinsic(Intrinsic::ceil, x[0]);
  case GLSLstd450Fract:
    return builder.CreateFract(x[0]);
  case GLSLstd450FMin:
  case GLSLstd450NMin:
    return builder.CreateFMin(x[0], x[1]);
  case GLSLstd450UMin:
    return select(builder, CmpInst::ICMP_ULT, x[0], x[1]);
  case GLSLstd450SMin:
    return select(builder, CmpInst::ICMP_SLT, x[0], x[1]);
  case GLSLstd450FMax:
  case GLSLstd450NMax:
    return builder.CreateFMax(x[0], x[1]);
  case GLSLstd450UMax:
    return select(builder, CmpInst::ICMP_UGT, x[0], x[1]);
  case GLSLstd450SMax:
    return select(builder, CmpInst::ICMP_SGT, x[0], x[1]);
  case GLSLstd450FClamp:
    return builder.CreateFClamp(x[0], x[1], x[2]);
  case GLSLstd450NClamp: // defines the result for NaN, which a median does not
    return builder.CreateFMin(builder.CreateFMax(x[0], x[1]), x[2]);
  case GLSLstd450UClamp:
    return select(builder, CmpInst::ICMP_ULT, select(builder, CmpInst::ICMP_UGT, x[0], x[1]), x[2]);
  case GLSLstd450SClamp:
    return select(builder, CmpInst::ICMP_SLT, select(builder, CmpInst::ICMP_SGT, x[0], x[1]), x[2]);
  case GLSLstd450FMix:
    return mix(builder, x[0], x[1], x[2]);
  case GLSLstd450Step: {
    Value *isBelow = builder.CreateFCmpOLT(x[1], x[0]);
    return builder.CreateSelect(isBelow, ConstantFP::get(resultType, 0.0), ConstantFP::get(resultType, 1.0));
  }
  case GLSLstd450SmoothStep:
    return builder.CreateSmoothStep(x[0], x[1], x[2]);
  case GLSLstd450Fma:
    return builder.CreateFma(x[0], x[1], x[2]);
  case GLSLstd450Ldexp:
    return builder.CreateLdexp(x[0], x[1]);
  case GLSLstd450FindILsb:
    return builder.CreateFindLsb(x[0]);
  case GLSLstd450FindSMsb:
    return builder.CreateFindSMsb(x[0]);
  case GLSLstd450FindUMsb:
    return builder.CreateFindUMsb(x[0]);
  default:
    return nullptr;
  }
}

Value *makeTranscendental(lgc::Builder &builder, GLSLstd450 instruction, ArrayRef<Value *> x, Type *resultType) {
  switch (instruction) {
  case GLSLstd450Radians:
    return builder.CreateFMul(x[0], ConstantFP::get(resultType, Pi / 180.0));
  case GLSLstd450Degrees:
    return builder.CreateFMul(x[0], ConstantFP::get(resultType, 180.0 / Pi));
  case GLSLstd450Sin:
    return builder.CreateSin(x[0]);
  case GLSLstd450Cos:
    return builder.CreateCos(x[0]);
  case GLSLstd450Tan:
    return builder.CreateTan(x[0]);
  case GLSLstd450Asin:
    return builder.CreateASin(x[0]);
  case GLSLstd450Acos:
    return builder.CreateACos(x[0]);
  case GLSLstd450Atan:
    return builder.CreateATan(x[0]);
  case GLSLstd450Sinh:
    return builder.CreateSinh(x[0]);
  case GLSLstd450Cosh:
    return builder.CreateCosh(x[0]);
  case GLSLstd450Tanh:
    return builder.CreateTanh(x[0]);
  case GLSLstd450Asinh:
    return builder.CreateASinh(x[0]);
  case GLSLstd450Acosh:
    return builder.CreateACosh(x[0]);
  case GLSLstd450Atanh:
    return builder.CreateATanh(x[0]);
  case GLSLstd450Atan2:
    return builder.CreateATan2(x[0], x[1]);
  case GLSLstd450Pow:
    return builder.CreatePower(x[0], x[1]);
  case GLSLstd450Exp:
    return builder.CreateExp(x[0]);
  case GLSLstd450Log:
    return builder.CreateLog(x[0]);
  case GLSLstd450Exp2:
    return builder.CreateExp2(x[0]);
  case GLSLstd450Log2:
    return builder.CreateLog2(x[0]);
  case GLSLstd450Sqrt:
    return builder.CreateSqrt(x[0]);
  case GLSLstd450InverseSqrt:
    return builder.CreateInverseSqrt(x[0]);
  default:
    return nullptr;
  }
}

// Works on vectors, on scalars as vectors of one component, and on matrices.
Value *makeGeometric(lgc::Builder &builder, GLSLstd450 instruction, ArrayRef<Value *> x, Type *resultType) {
  bool isScalar = !resultType->isVectorTy();
  switch (instruction) {
  case GLSLstd450Determinant:
    return builder.CreateDeterminant(x[0]);
  case GLSLstd450MatrixInverse:
    return builder.CreateMatrixInverse(x[0]);
  case GLSLstd450Length:
    return length(builder, x[0]);
  case GLSLstd450Distance:
    return length(builder, builder.CreateFSub(x[0], x[1]));
  case GLSLstd450Cross:
    return builder.CreateCrossProduct(x[0], x[1]);
  case GLSLstd450Normalize:
    return isScalar ? builder.CreateFSign(x[0]) : builder.CreateNormalizeVector(x[0]);
  case GLSLstd450FaceForward: {
    if (!isScalar)
      return builder.CreateFaceForward(x[0], x[1], x[2]);
    Value *isAway = builder.CreateFCmpOLT(dot(builder, x[2], x[1]), ConstantFP::get(resultType, 0.0));
    return builder.CreateSelect(isAway, x[0], builder.CreateFNeg(x[0]));
  }
  case GLSLstd450Reflect: {
    if (!isScalar)
      return builder.CreateReflect(x[0], x[1]);
    Value *twice = builder.CreateFMul(dot(builder, x[1], x[0]), ConstantFP::get(resultType, 2.0));
    return builder.CreateFSub(x[0], builder.CreateFMul(twice, x[1]));
  }
  case GLSLstd450Refract: {
    // eta may be narrower or wider than the vectors' components.
    Value *eta = builder.CreateFPCast(x[2], resultType->getScalarType());
    if (!isScalar)
      return builder.CreateRefract(x[0], x[1], eta);
    Value *one = ConstantFP::get(resultType, 1.0), *zero = ConstantFP::get(resultType, 0.0);
    Value *cosine = builder.CreateFMul(x[1], x[0]);
    Value *k = builder.CreateFSub(one, builder.CreateFMul(cosine, cosine));
    k = builder.CreateFSub(one, builder.CreateFMul(builder.CreateFMul(eta, eta), k));
    Value *along = builder.CreateFAdd(builder.CreateFMul(eta, cosine), builder.CreateSqrt(k));
    Value *bent = builder.CreateFSub(builder.CreateFMul(eta, x[0]), builder.CreateFMul(along, x[1]));
    return builder.CreateSelect(builder.CreateFCmpOLT(k, zero), zero, bent);
  }
  default:
    return nullptr;
  }
}

Value *makePacking(lgc::Builder &builder, GLSLstd450 instruction, ArrayRef<Value *> x, Type *resultType) {
  switch (instruction) {
  case GLSLstd450PackSnorm4x8:
    return packNormalized(builder, x[0], 8, true);
  case GLSLstd450PackUnorm4x8:
    return packNormalized(builder, x[0], 8, false);
  case GLSLstd450PackSnorm2x16:
    return packNormalized(builder, x[0], 16, true);
  case GLSLstd450PackUnorm2x16:
    return packNormalized(builder, x[0], 16, false);
  case GLSLstd450UnpackSnorm4x8:
    return unpackNormalized(builder, x[0], 8, true);
  case GLSLstd450UnpackUnorm4x8:
    return unpackNormalized(builder, x[0], 8, false);
  case GLSLstd450UnpackSnorm2x16:
    return unpackNormalized(builder, x[0], 16, true);
  case GLSLstd450UnpackUnorm2x16:
    return unpackNormalized(builder, x[0], 16, false);
  case GLSLstd450PackHalf2x16: {
    auto *halves = FixedVectorType::get(builder.getHalfTy(), 2);
    return builder.CreateBitCast(builder.CreateFPTrunc(x[0], halves), builder.getInt32Ty());
  }
  case GLSLstd450UnpackHalf2x16: {
    auto *halves = FixedVectorType::get(builder.getHalfTy(), 2);
    return builder.CreateFPExt(builder.CreateBitCast(x[0], halves), resultType);
  }
  case GLSLstd450PackDouble2x32:
  case GLSLstd450UnpackDouble2x32:
    return builder.CreateBitCast(x[0], resultType);
  default:
    return nullptr;
  }
}

} // namespace

Value *makeGlslMath(lgc::Builder &builder, GLSLstd450 instruction, ArrayRef<Value *> operands, Type *resultType) {
  if (Value *value = makeCommon(builder, instruction, operands, resultType))
    return value;
  if (Value *value = makeTranscendental(builder, instruction, operands, resultType))
    return value;
  if (Value *value = makeGeometric(builder, instruction, operands, resultType))
    return value;
  return makePacking(builder, instruction, operands, resultType);
}

} // namespace dovetail::spirv
