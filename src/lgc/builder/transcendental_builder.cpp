// SPDX-License-Identifier: MIT
//
// Trigonometric, hyperbolic, exponential and logarithmic functions, and roots.
//
// The hardware has sine, cosine, exp2, log2 and the roots for f32 and f16. All other functions are made from these and
// from polynomials. Near zero, where a formula would cancel, an odd function f is x * p(x^2), with p fitted to f(x) / x
// in Chebyshev's sense. The polynomials are good to about 1e-7, far below the 2^-11 or 4096 ulp that Vulkan asks.
// Functions without an instruction are computed in f32, also for f16 operands.
#include "src/lgc/builder/builder_impl.h"
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/MDBuilder.h>
#include <numbers>

using namespace llvm;

namespace lgc {

namespace {

constexpr double Pi = std::numbers::pi;

// Fitted polynomials in x^2, lowest power first, each with its interval and greatest relative error.
constexpr float ASinPolynomial[] = {1.0f,          0.166667819f,  0.0749469697f, // |x| <= 0.5, 9e-9
                                    0.0455206372f, 0.0239939988f, 0.0424173735f};
constexpr float ATanPolynomial[] = {1.0f,           -0.333330363f, 0.199918717f,  -0.141977981f,
                                    0.106183708f, // |x| <= 1, 4e-8
                                    -0.0745685473f, 0.0421376228f, -0.015731249f, 0.00276628346f};
constexpr float SinhPolynomial[] = {1.0f, 0.166667372f, 0.008329832f, 0.000203993579f}; // |x| <= 1, 5e-8
constexpr float TanhPolynomial[] = {1.0f,           -0.333332837f, 0.1333168f,          // |x| <= 0.6, 5e-9
                                    -0.0537679829f, 0.0207513496f, -0.00584964408f};
constexpr float ASinhPolynomial[] = {1.0f,           -0.166666329f, 0.0749838054f, // |x| <= 0.5, 3e-9
                                     -0.0443583205f, 0.0280601978f, -0.0130744148f};
constexpr float ATanhPolynomial[] = {1.0f,         0.333338737f,  0.199752361f, // |x| <= 0.5, 5e-8
                                     0.146946922f, 0.0814723372f, 0.183073252f};

// The operations on one f32, with short names.
struct F32 {
  BuilderImpl &builder;

  Constant *number(double value) const { return ConstantFP::get(builder.getFloatTy(), value); }
  Value *add(Value *a, Value *b) const { return builder.CreateFAdd(a, b); }
  Value *mul(Value *a, Value *b) const { return builder.CreateFMul(a, b); }
  Value *mul(Value *a, double b) const { return builder.CreateFMul(a, number(b)); }
  // a * b + c
  Value *fma(Value *a, Value *b, Value *c) const { return builder.CreateFma(a, b, c); }
  Value *fma(Value *a, double b, double c) const { return builder.CreateFma(a, number(b), number(c)); }
  Value *abs(Value *a) const { return builder.CreateUnaryIntrinsic(Intrinsic::fabs, a); }
  Value *reciprocal(Value *a) const { return builder.divide(number(1.0), a); }
  Value *withSignOf(Value *a, Value *sign) const { return builder.CreateBinaryIntrinsic(Intrinsic::copysign, a, sign); }
  Value *select(Value *condition, Value *a, Value *b) const { return builder.CreateSelect(condition, a, b); }
  Value *less(Value *a, double b) const { return builder.CreateFCmpOLT(a, number(b)); }
  Value *greater(Value *a, double b) const { return builder.CreateFCmpOGT(a, number(b)); }

  // x * p(x^2)
  Value *odd(Value *x, ArrayRef<float> polynomial) const {
    Value *square = mul(x, x);
    Value *sum = number(polynomial.back());
    for (float coefficient : reverse(polynomial.drop_back()))
      sum = fma(sum, square, number(coefficient));
    return mul(x, sum);
  }

  // e^x / 2: overflows no earlier than sinh and cosh, which need halves of e^x.
  Value *halfExp(Value *x) const { return builder.CreateExp2(fma(x, std::numbers::log2e, -1.0)); }
  Value *log(Value *x) const { return builder.CreateLog(x); }
};

// Calls `make` for each element with f32 operands, whatever the type of the elements.
Value *inFloat32(BuilderImpl &builder, BuilderImpl::Values operands,
                 function_ref<Value *(const F32 &f32, BuilderImpl::Values operands)> make) {
  return builder.mapElements(operands, [&](BuilderImpl::Values elements) {
    SmallVector<Value *, 2> floats;
    for (Value *element : elements)
      floats.push_back(builder.CreateFPCast(element, builder.getFloatTy()));
    return builder.CreateFPCast(make(F32{builder}, floats), elements[0]->getType());
  });
}

Value *unaryFloat(BuilderImpl &builder, Value *x, Intrinsic::ID id) {
  return builder.mapElements(
      x, [&](BuilderImpl::Values v) -> Value * { return builder.CreateIntrinsic(id, v[0]->getType(), v[0]); });
}

// A bare instruction flushes f32 denormals; LLVM's generic operation scales around them. Neither exists for f64.
Value *bareOrGeneric(BuilderImpl &builder, Value *x, Intrinsic::ID bare, Intrinsic::ID generic) {
  Type *element = x->getType()->getScalarType();
  if (element->isDoubleTy()) {
    return inFloat32(builder, x,
                     [&](const F32 &, BuilderImpl::Values v) { return bareOrGeneric(builder, v[0], bare, generic); });
  }
  bool mayFlush = builder.shaderModes().common.fp32DenormMode != FpDenormMode::FlushNone;
  return unaryFloat(builder, x, element->isFloatTy() && mayFlush ? bare : generic);
}

// The operand of the polynomial for asin, and for acos: from 0 to 0.5 the magnitude itself, from 0.5 to 1 that of
// asin(x) = pi/2 - 2 asin(sqrt((1 - x) / 2)).
Value *foldASinOperand(const F32 &f, Value *magnitude, Value *isLarge) {
  Value *folded = f.builder.CreateSqrt(f.fma(magnitude, -0.5, 0.5));
  return f.select(isLarge, folded, magnitude);
}

// atan of 0 to 1.
Value *aTanOfUnit(const F32 &f, Value *x) {
  return f.odd(x, ATanPolynomial);
}

} // namespace

Value *BuilderImpl::CreateTan(Value *x, const Twine &) {
  return inFloat32(*this, x, [&](const F32 &, Values v) { return divide(CreateSin(v[0]), CreateCos(v[0])); });
}

Value *BuilderImpl::CreateASin(Value *x, const Twine &) {
  return inFloat32(*this, x, [&](const F32 &f, Values v) {
    Value *magnitude = f.abs(v[0]);
    Value *isLarge = f.greater(magnitude, 0.5);
    Value *angle = f.odd(foldASinOperand(f, magnitude, isLarge), ASinPolynomial);
    return f.withSignOf(f.select(isLarge, f.fma(angle, -2.0, Pi / 2), angle), v[0]);
  });
}

Value *BuilderImpl::CreateACos(Value *x, const Twine &) {
  return inFloat32(*this, x, [&](const F32 &f, Values v) {
    Value *magnitude = f.abs(v[0]);
    Value *isLarge = f.greater(magnitude, 0.5);
    Value *angle = f.odd(foldASinOperand(f, magnitude, isLarge), ASinPolynomial);
    // acos(|x|) is twice the angle; acos(-x) = pi - acos(x).
    Value *twice = f.mul(angle, 2.0);
    Value *large = f.select(f.less(v[0], 0.0), CreateFSub(f.number(Pi), twice), twice);
    Value *small = CreateFSub(f.number(Pi / 2), f.withSignOf(angle, v[0]));
    return f.select(isLarge, large, small);
  });
}

Value *BuilderImpl::CreateATan(Value *x, const Twine &) {
  return inFloat32(*this, x, [&](const F32 &f, Values v) {
    Value *magnitude = f.abs(v[0]);
    Value *isLarge = f.greater(magnitude, 1.0);
    Value *angle = aTanOfUnit(f, f.select(isLarge, f.reciprocal(magnitude), magnitude));
    return f.withSignOf(f.select(isLarge, CreateFSub(f.number(Pi / 2), angle), angle), v[0]);
  });
}

Value *BuilderImpl::CreateATan2(Value *y, Value *x, const Twine &) {
  return inFloat32(*this, {y, x}, [&](const F32 &f, Values v) {
    Value *height = f.abs(v[0]);
    Value *width = f.abs(v[1]);
    Value *larger = CreateMaxNum(height, width);
    // The back end's 2.5 ulp division scales divisors whose reciprocal would be a denormal. 0/0 counts as 0,
    // infinite/infinite as 1.
    auto *quotient = CreateFDiv(CreateMinNum(height, width), larger);
    if (auto *instruction = dyn_cast<Instruction>(quotient))
      instruction->setMetadata(LLVMContext::MD_fpmath, MDBuilder(getContext()).createFPMath(2.5f));
    quotient = f.select(CreateFCmpOEQ(height, width), f.number(1.0), quotient);
    quotient = f.select(CreateFCmpOEQ(larger, f.number(0.0)), f.number(0.0), quotient);
    Value *angle = aTanOfUnit(f, quotient);
    angle = f.select(CreateFCmpOGT(height, width), CreateFSub(f.number(Pi / 2), angle), angle);
    angle = f.select(f.less(v[1], 0.0), CreateFSub(f.number(Pi), angle), angle);
    return f.withSignOf(angle, v[0]);
  });
}

Value *BuilderImpl::CreateSin(Value *x, const Twine &) {
  if (x->getType()->getScalarType()->isDoubleTy())
    return inFloat32(*this, x, [&](const F32 &, Values v) { return CreateSin(v[0]); });
  return CreateUnaryIntrinsic(Intrinsic::sin, x);
}

Value *BuilderImpl::CreateCos(Value *x, const Twine &) {
  if (x->getType()->getScalarType()->isDoubleTy())
    return inFloat32(*this, x, [&](const F32 &, Values v) { return CreateCos(v[0]); });
  return CreateUnaryIntrinsic(Intrinsic::cos, x);
}

Value *BuilderImpl::CreateSinh(Value *x, const Twine &) {
  return inFloat32(*this, x, [&](const F32 &f, Values v) {
    Value *large = CreateFSub(f.halfExp(v[0]), f.halfExp(CreateFNeg(v[0])));
    return f.select(f.less(f.abs(v[0]), 1.0), f.odd(v[0], SinhPolynomial), large);
  });
}

Value *BuilderImpl::CreateCosh(Value *x, const Twine &) {
  return inFloat32(*this, x,
                   [&](const F32 &f, Values v) { return f.add(f.halfExp(v[0]), f.halfExp(CreateFNeg(v[0]))); });
}

// 1 - 2 / (e^2x + 1) for positive x: where the exponential overflows, the quotient is 0.
Value *BuilderImpl::CreateTanh(Value *x, const Twine &) {
  return inFloat32(*this, x, [&](const F32 &f, Values v) {
    Value *magnitude = f.abs(v[0]);
    Value *exponential = CreateExp2(f.mul(magnitude, 2 * std::numbers::log2e));
    Value *large = f.fma(f.reciprocal(f.add(exponential, f.number(1.0))), -2.0, 1.0);
    return f.select(f.less(magnitude, 0.6), f.odd(v[0], TanhPolynomial), f.withSignOf(large, v[0]));
  });
}

// ln(x + sqrt(x^2 + 1)); where the square would overflow, ln(2x).
Value *BuilderImpl::CreateASinh(Value *x, const Twine &) {
  return inFloat32(*this, x, [&](const F32 &f, Values v) {
    Value *magnitude = f.abs(v[0]);
    Value *isHuge = f.greater(magnitude, 0x1p30);
    Value *root = CreateSqrt(f.fma(magnitude, magnitude, f.number(1.0)));
    Value *logarithm = f.log(f.add(magnitude, f.select(isHuge, f.number(0.0), root)));
    logarithm = f.add(logarithm, f.select(isHuge, f.number(std::numbers::ln2), f.number(0.0)));
    return f.select(f.less(magnitude, 0.5), f.odd(v[0], ASinhPolynomial), f.withSignOf(logarithm, v[0]));
  });
}

// ln(x + sqrt((x - 1)(x + 1))); where the product would overflow, ln(2x).
Value *BuilderImpl::CreateACosh(Value *x, const Twine &) {
  return inFloat32(*this, x, [&](const F32 &f, Values v) {
    Value *isHuge = f.greater(v[0], 0x1p30);
    Value *root = CreateSqrt(f.mul(f.add(v[0], f.number(-1.0)), f.add(v[0], f.number(1.0))));
    Value *logarithm = f.log(f.add(v[0], f.select(isHuge, f.number(0.0), root)));
    return f.add(logarithm, f.select(isHuge, f.number(std::numbers::ln2), f.number(0.0)));
  });
}

Value *BuilderImpl::CreateATanh(Value *x, const Twine &) {
  return inFloat32(*this, x, [&](const F32 &f, Values v) {
    Value *ratio = divide(f.add(v[0], f.number(1.0)), CreateFSub(f.number(1.0), v[0]));
    return f.select(f.less(f.abs(v[0]), 0.5), f.odd(v[0], ATanhPolynomial), f.mul(f.log(ratio), 0.5));
  });
}

// 2^(y log2 x). The legacy multiplication makes x^0 1 for x = 0, too.
Value *BuilderImpl::CreatePower(Value *x, Value *y, const Twine &) {
  return inFloat32(*this, {x, y}, [&](const F32 &, Values v) {
    Value *exponent = CreateIntrinsic(Intrinsic::amdgcn_fmul_legacy, {}, {v[1], CreateLog2(v[0])});
    return CreateExp2(exponent);
  });
}

Value *BuilderImpl::CreateExp(Value *x, const Twine &) {
  return inFloat32(*this, x, [&](const F32 &f, Values v) { return CreateExp2(f.mul(v[0], std::numbers::log2e)); });
}

Value *BuilderImpl::CreateLog(Value *x, const Twine &) {
  return inFloat32(*this, x, [&](const F32 &f, Values v) { return f.mul(CreateLog2(v[0]), std::numbers::ln2); });
}

Value *BuilderImpl::CreateExp2(Value *x, const Twine &) {
  return bareOrGeneric(*this, x, Intrinsic::amdgcn_exp2, Intrinsic::exp2);
}

Value *BuilderImpl::CreateLog2(Value *x, const Twine &) {
  return bareOrGeneric(*this, x, Intrinsic::amdgcn_log, Intrinsic::log2);
}

Value *BuilderImpl::CreateSqrt(Value *x, const Twine &) {
  if (x->getType()->getScalarType()->isDoubleTy())
    return unaryFloat(*this, x, Intrinsic::sqrt);
  return bareOrGeneric(*this, x, Intrinsic::amdgcn_sqrt, Intrinsic::sqrt);
}

// v_rsq_f64 is an estimate of few bits only.
Value *BuilderImpl::CreateInverseSqrt(Value *x, const Twine &) {
  if (x->getType()->getScalarType()->isDoubleTy())
    return CreateFDiv(ConstantFP::get(x->getType(), 1.0), CreateSqrt(x));
  return unaryFloat(*this, x, Intrinsic::amdgcn_rsq);
}

} // namespace lgc
