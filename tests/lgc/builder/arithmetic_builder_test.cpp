// SPDX-License-Identifier: MIT
//
// The results of the lowered arithmetic, against the host's.
#include "tests/lgc/builder/constant_evaluator.h"
#include "tests/lgc/builder/lowering.h"
#include <cmath>
#include <doctest/doctest.h>

using namespace lgc;
using lgc::test::lower;
using lgc::test::Lowered;
using lgc::test::Operands;
using lgc::test::Workbench;

namespace {

using Values = std::vector<double>;

// The greatest error of a function of one f32 over [low, high], relative to max(|exact|, floor).
double worstError(const std::function<Value *(Workbench &, Value *)> &make, double (*exact)(double), double low,
                  double high, double floor) {
  double worst = 0;
  for (unsigned i = 0; i <= 64; ++i) {
    Workbench bench;
    double x = static_cast<float>(low + (high - low) * i / 64);
    double error = std::abs(bench.number(make(bench, bench.f32(x))) - exact(x));
    error /= std::max(std::abs(exact(x)), floor);
    if (!(error <= worst)) // a NaN counts as the worst
      worst = error;
  }
  return worst;
}

#define UNARY(name) [](Workbench &bench, Value *x) { return bench.builder().Create##name(x); }

} // namespace

TEST_CASE("FMod has the sign of the divisor, and no remainder as great as the divisor") {
  Workbench bench;
  BuilderImpl &b = bench.builder();
  CHECK(bench.number(b.CreateFMod(bench.f32(5.5), bench.f32(2.0))) == 1.5);
  CHECK(bench.number(b.CreateFMod(bench.f32(-5.5), bench.f32(2.0))) == 0.5);
  CHECK(bench.number(b.CreateFMod(bench.f32(5.5), bench.f32(-2.0))) == -0.5);
  CHECK(bench.number(b.CreateFMod(bench.f64(7.0), bench.f64(4.0))) == 3.0);
  for (int divisor = 1; divisor < 100; ++divisor)
    for (int factor = 0; factor < 20; ++factor)
      CHECK(bench.number(b.CreateFMod(bench.f32(divisor * factor), bench.f32(divisor))) == 0.0);
}

TEST_CASE("SMod has the sign of the divisor, and never divides by zero") {
  Workbench bench;
  BuilderImpl &b = bench.builder();
  auto smod = [&](int x, int y) { return int(bench.integer(b.CreateSMod(bench.i32(x), bench.i32(y)))); };
  CHECK(smod(7, 3) == 1);
  CHECK(smod(-7, 3) == 2);
  CHECK(smod(7, -3) == -2);
  CHECK(smod(-7, -3) == -1);
  CHECK(smod(6, 3) == 0);
  CHECK(smod(INT32_MIN, -1) == 0);
  CHECK(smod(5, 0) == smod(5, 0)); // any value; NaN means that it has none
  Lowered lowered = lower(ShaderStage::Compute, [](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
    return {b.CreateSMod(in.ints(4), in.ints(4)),
            b.CreateSMod(in.divergent(b.getInt64Ty()), in.divergent(b.getInt64Ty()))};
  });
  CHECK(lowered.error == "");
}

TEST_CASE("dot, cross, normalize, reflect, refract, faceforward") {
  Workbench bench;
  BuilderImpl &b = bench.builder();
  Value *x = bench.f32Vector({1, 2, 3});
  Value *y = bench.f32Vector({4, -5, 6});
  CHECK(bench.number(b.CreateDotProduct(x, y)) == 12);
  CHECK(bench.numbers(b.CreateCrossProduct(x, y)) == Values{27, 6, -13});
  CHECK(bench.numbers(b.CreateNormalizeVector(bench.f32Vector({3, 0, 4})))[2] == doctest::Approx(0.8).epsilon(1e-6));
  CHECK(bench.numbers(b.CreateNormalizeVector(bench.f32Vector({0, 0}))) == Values{0, 0});
  CHECK(bench.number(b.CreateNormalizeVector(bench.f32(-7))) == -1);
  CHECK(bench.numbers(b.CreateNormalizeVector(bench.vector({bench.f64(0), bench.f64(2)}))) == Values{0, 1});
  CHECK(bench.numbers(b.CreateNormalizeVector(bench.vector({bench.f16(3000), bench.f16(4000)})))[0] ==
        doctest::Approx(0.6).epsilon(1e-3));
  Value *normal = bench.f32Vector({0, 1, 0});
  CHECK(bench.numbers(b.CreateReflect(x, normal)) == Values{1, -2, 3});
  CHECK(bench.numbers(b.CreateFaceForward(normal, bench.f32Vector({0, -1, 0}), normal)) == Values{0, 1, 0});
  CHECK(bench.numbers(b.CreateFaceForward(normal, x, normal)) == Values{0, -1, 0});
  // Straight on, and total reflection.
  CHECK(bench.numbers(b.CreateRefract(bench.f32Vector({0, -1, 0}), normal, bench.f32(0.5))) == Values{0, -1, 0});
  CHECK(bench.numbers(b.CreateRefract(bench.f32Vector({1, 0, 0}), normal, bench.f32(1.5))) == Values{0, 0, 0});
  CHECK(bench.number(b.CreateRefract(bench.f64(-1), bench.f64(1), bench.f32(0.5))) == -1);
}

TEST_CASE("signs, fractions, steps, clamps, frexp and ldexp") {
  Workbench bench;
  BuilderImpl &b = bench.builder();
  CHECK(bench.numbers(b.CreateFSign(bench.f32Vector({-3, 0, 5}))) == Values{-1, 0, 1});
  CHECK(int(bench.integer(b.CreateSSign(bench.i32(-9)))) == -1);
  CHECK(bench.integer(b.CreateSAbs(bench.i32(-9))) == 9);
  CHECK(bench.integer(b.CreateSAbs(bench.i32(0x80000000))) == 0x80000000);
  CHECK(bench.number(b.CreateFract(bench.f32(-0.25))) == 0.75);
  CHECK(bench.number(b.CreateSmoothStep(bench.f32(1), bench.f32(3), bench.f32(2))) == 0.5);
  CHECK(bench.number(b.CreateSmoothStep(bench.f32(1), bench.f32(3), bench.f32(9))) == 1);
  CHECK(bench.number(b.CreateFClamp(bench.f32(9), bench.f32(1), bench.f32(3))) == 3);
  CHECK(bench.number(b.CreateFClamp(bench.f32(NAN), bench.f32(1), bench.f32(3))) == 1);
  CHECK(bench.number(b.CreateFMin(bench.f32(NAN), bench.f32(3))) == 3);
  CHECK(bench.number(b.CreateExtractSignificand(bench.f32(-12))) == -0.75);
  CHECK(bench.integer(b.CreateExtractExponent(bench.f32(-12))) == 4);
  CHECK(bench.number(b.CreateLdexp(bench.f32(0.75), bench.i32(4))) == 12);
  CHECK(bench.number(b.CreateLdexp(bench.f64(0.75), bench.i32(4))) == 12);
  CHECK(bench.number(b.CreateLdexp(bench.f16(0.75), bench.i32(4))) == 12);
  CHECK(bench.number(b.CreateLdexp(bench.f32(1), bench.i32(0x80000000))) == 0);
  CHECK(bench.integer(b.CreateIsNaN(bench.f32(NAN))) == 1);
  CHECK(bench.integer(b.CreateIsNaN(bench.f32(INFINITY))) == 0);
  CHECK(bench.integer(b.CreateIsInf(bench.f32(-INFINITY))) == 1);
  CHECK(bench.integer(b.CreateIsInf(bench.f32(1))) == 0);
}

TEST_CASE("bit fields of every offset and count") {
  Workbench bench;
  BuilderImpl &b = bench.builder();
  constexpr uint32_t Base = 0x9ac5f061, Insert = 0x6e3b1d72;
  for (unsigned count = 0; count <= 32; ++count) {
    for (unsigned offset = 0; offset + count <= 32; ++offset) {
      uint32_t low = count == 32 ? ~0u : (1u << count) - 1;
      uint32_t mask = offset == 32 ? 0 : low << offset;
      uint32_t inserted = offset == 32 ? Base : (Base & ~mask) | (Insert << offset & mask);
      uint32_t field = offset == 32 ? 0 : Base >> offset & low;
      int32_t signedField = count == 0 ? 0 : int32_t(field << (32 - count)) >> (32 - count);
      Value *o = bench.i32(offset);
      Value *c = bench.i32(count);
      CAPTURE(offset);
      CAPTURE(count);
      CHECK(bench.integer(b.CreateInsertBitField(bench.i32(Base), bench.i32(Insert), o, c)) == inserted);
      CHECK(bench.integer(b.CreateExtractBitField(bench.i32(Base), o, c, false)) == field);
      CHECK(int32_t(bench.integer(b.CreateExtractBitField(bench.i32(Base), o, c, true))) == signedField);
    }
  }
}

TEST_CASE("bit fields of 16- and 64-bit integers") {
  Workbench bench;
  BuilderImpl &b = bench.builder();
  auto extract = [&](Value *base, unsigned offset, unsigned count, bool isSigned) {
    return bench.integer(b.CreateExtractBitField(base, bench.i32(offset), bench.i32(count), isSigned));
  };
  Value *wide = b.getInt64(0x8123456789abcdef);
  CHECK(extract(wide, 60, 4, true) == uint64_t(-8));
  CHECK(extract(wide, 60, 4, false) == 8);
  CHECK(extract(wide, 0, 64, true) == 0x8123456789abcdef);
  CHECK(extract(wide, 64, 0, true) == 0);
  CHECK(extract(b.getInt16(0x8f01), 8, 8, true) == 0xff8f);
  CHECK(bench.integer(b.CreateInsertBitField(wide, b.getInt64(0), bench.i32(0), bench.i32(64))) == 0);
}

TEST_CASE("bit numbers") {
  Workbench bench;
  BuilderImpl &b = bench.builder();
  auto i32 = [&](Value *value) { return int32_t(bench.integer(value)); };
  CHECK(i32(b.CreateFindLsb(bench.i32(0x80))) == 7);
  CHECK(i32(b.CreateFindLsb(bench.i32(0))) == -1);
  CHECK(i32(b.CreateFindUMsb(bench.i32(0x80))) == 7);
  CHECK(i32(b.CreateFindUMsb(bench.i32(~0u))) == 31);
  CHECK(i32(b.CreateFindUMsb(bench.i32(0))) == -1);
  CHECK(i32(b.CreateFindSMsb(bench.i32(0x80))) == 7);
  CHECK(i32(b.CreateFindSMsb(bench.i32(~0u))) == -1);
  CHECK(i32(b.CreateFindSMsb(bench.i32(-256))) == 7);
  CHECK(i32(b.CreateFindSMsb(bench.i32(0))) == -1);
}

TEST_CASE("OpQuantizeToF16 rounds, overflows to infinity and flushes denormals") {
  Workbench bench;
  BuilderImpl &b = bench.builder();
  CHECK(bench.number(b.CreateQuantizeToFp16(bench.f32(1.0 + 0x1p-12))) == 1);
  CHECK(bench.number(b.CreateQuantizeToFp16(bench.f32(1e9))) == INFINITY);
  CHECK(bench.number(b.CreateQuantizeToFp16(bench.f32(-0x1p-15))) == 0);
  CHECK(std::signbit(bench.number(b.CreateQuantizeToFp16(bench.f32(-0x1p-15)))));
  CHECK(bench.number(b.CreateQuantizeToFp16(bench.f32(0x1p-14))) == 0x1p-14);
}

TEST_CASE("transcendental functions are accurate over their ranges") {
  CHECK(worstError(UNARY(ASin), std::asin, -1, 1, 1e-30) < 1e-6);
  CHECK(worstError(UNARY(ACos), std::acos, -1, 1, 1e-3) < 1e-6);
  CHECK(worstError(UNARY(ATan), std::atan, -20, 20, 1e-30) < 1e-6);
  CHECK(worstError(UNARY(ATan), std::atan, -1e30, 1e30, 1e-30) < 1e-6);
  CHECK(worstError(UNARY(Sinh), std::sinh, -3, 3, 1e-30) < 2e-6);
  CHECK(worstError(UNARY(Sinh), std::sinh, -89, 89, 1e-30) < 2e-5);
  CHECK(worstError(UNARY(Cosh), std::cosh, -3, 3, 1e-30) < 2e-6);
  CHECK(worstError(UNARY(Tanh), std::tanh, -3, 3, 1e-30) < 1e-6);
  CHECK(worstError(UNARY(Tanh), std::tanh, -1000, 1000, 1e-30) < 1e-6);
  CHECK(worstError(UNARY(ASinh), std::asinh, -3, 3, 1e-30) < 2e-6);
  CHECK(worstError(UNARY(ASinh), std::asinh, -1e30, 1e30, 1e-30) < 1e-6);
  CHECK(worstError(UNARY(ACosh), std::acosh, 1, 3, 1e-2) < 1e-5);
  CHECK(worstError(UNARY(ACosh), std::acosh, 1, 1e30, 1e-2) < 1e-5);
  CHECK(worstError(UNARY(ATanh), std::atanh, -0.99, 0.99, 1e-30) < 2e-6);
  CHECK(worstError(UNARY(Tan), std::tan, -1.5, 1.5, 1e-30) < 1e-6);
  CHECK(worstError(UNARY(Exp), std::exp, -10, 10, 1e-30) < 2e-6);
  CHECK(worstError(UNARY(Log), std::log, 0.01, 100, 1e-3) < 1e-6);
}

TEST_CASE("atan2 in every quadrant and on the axes") {
  Workbench bench;
  BuilderImpl &b = bench.builder();
  for (double y : {-1e38, -2.0, -1.0, -1e-20, 0.0, 1e-20, 1.0, 3.0, 1e38})
    for (double x : {-1e38, -2.0, -1.0, 0.0, 1.0, 3.0, 1e38}) {
      CAPTURE(y);
      CAPTURE(x);
      double angle = bench.number(b.CreateATan2(bench.f32(y), bench.f32(x)));
      CHECK(std::abs(angle - std::atan2(float(y), float(x))) < 1e-6);
    }
}

TEST_CASE("powers and roots") {
  Workbench bench;
  BuilderImpl &b = bench.builder();
  CHECK(bench.number(b.CreatePower(bench.f32(2), bench.f32(10))) == 1024);
  CHECK(bench.number(b.CreatePower(bench.f32(0), bench.f32(0))) == 1);
  CHECK(bench.number(b.CreatePower(bench.f32(0), bench.f32(2))) == 0);
  CHECK(bench.number(b.CreatePower(bench.f16(2), bench.f16(3))) == 8);
  CHECK(bench.number(b.CreateSqrt(bench.f32(9))) == 3);
  CHECK(bench.number(b.CreateSqrt(bench.f64(9))) == 3);
  CHECK(bench.number(b.CreateInverseSqrt(bench.f32(16))) == 0.25);
  CHECK(bench.number(b.CreateInverseSqrt(bench.f64(16))) == 0.25);
}

TEST_CASE("every arithmetic operation compiles for scalars and vectors of f16, f32 and f64") {
  for (unsigned bits : {16, 32, 64}) {
    for (unsigned count : {1, 2, 3, 4}) {
      CAPTURE(bits);
      CAPTURE(count);
      Lowered lowered = lower(ShaderStage::Fragment, [&](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
        Type *element = bits == 16 ? b.getHalfTy() : bits == 32 ? b.getFloatTy() : b.getDoubleTy();
        Type *type = count == 1 ? element : static_cast<Type *>(llvm::FixedVectorType::get(element, count));
        Value *x = in.divergent(type);
        Value *y = in.divergent(type);
        Value *z = in.divergent(type);
        Value *exponent = in.ints(count);
        std::vector<Value *> results = {b.CreateDotProduct(x, y),
                                        b.CreateFMod(x, y),
                                        b.CreateFma(x, y, z),
                                        b.CreateSqrt(x),
                                        b.CreateInverseSqrt(x),
                                        b.CreateFSign(x),
                                        b.CreateFract(x),
                                        b.CreateSmoothStep(x, y, z),
                                        b.CreateLdexp(x, exponent),
                                        b.CreateExtractSignificand(x),
                                        b.CreateExtractExponent(x),
                                        b.CreateNormalizeVector(x),
                                        b.CreateFaceForward(x, y, z),
                                        b.CreateReflect(x, y),
                                        b.CreateRefract(x, y, in.floats(1)),
                                        b.CreateFMin(x, y),
                                        b.CreateFMax(x, y),
                                        b.CreateFClamp(x, y, z),
                                        b.CreateIsInf(x),
                                        b.CreateIsNaN(x)};
        if (count == 3)
          results.push_back(b.CreateCrossProduct(x, y));
        for (Value *value :
             {b.CreateTan(x), b.CreateASin(x), b.CreateACos(x), b.CreateATan(x), b.CreateATan2(y, x), b.CreateSin(x),
              b.CreateCos(x), b.CreateSinh(x), b.CreateCosh(x), b.CreateTanh(x), b.CreateASinh(x), b.CreateACosh(x),
              b.CreateATanh(x), b.CreatePower(x, y), b.CreateExp(x), b.CreateLog(x), b.CreateExp2(x), b.CreateLog2(x)})
          results.push_back(value);
        if (bits == 32)
          results.push_back(b.CreateQuantizeToFp16(x));
        return results;
      });
      CHECK(lowered.error == "");
    }
  }
}

TEST_CASE("integer operations compile for every width") {
  for (unsigned bits : {8, 16, 32, 64}) {
    CAPTURE(bits);
    Lowered lowered = lower(ShaderStage::Compute, [&](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
      Type *type = llvm::FixedVectorType::get(b.getIntNTy(bits), 3);
      Value *x = in.divergent(type);
      Value *y = in.divergent(type);
      Value *offset = in.ints(1);
      Value *count = in.ints(1);
      return {b.CreateSMod(x, y),
              b.CreateSAbs(x),
              b.CreateSSign(x),
              b.CreateFindLsb(x),
              b.CreateFindUMsb(x),
              b.CreateFindSMsb(x),
              b.CreateInsertBitField(x, y, offset, count),
              b.CreateExtractBitField(x, offset, count, false),
              b.CreateExtractBitField(x, offset, count, true)};
    });
    CHECK(lowered.error == "");
  }
}

TEST_CASE("common operations are one instruction") {
  Lowered lowered = lower(ShaderStage::Fragment, [&](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
    return {b.CreateSqrt(in.floats(1)),
            b.CreateInverseSqrt(in.floats(1)),
            b.CreateExp2(in.floats(1)),
            b.CreateLog2(in.floats(1)),
            b.CreateFract(in.floats(1)),
            b.CreateFma(in.floats(1), in.floats(1), in.floats(1)),
            b.CreateFClamp(in.floats(1), in.floats(1), in.floats(1))};
  });
  CHECK(lowered.error == "");
  for (const char *mnemonic :
       {"v_sqrt_f32", "v_rsq_f32", "v_exp_f32", "v_log_f32", "v_fract_f32", "v_mac_f32", "v_med3_f32"})
    CHECK_MESSAGE(lowered.count(mnemonic) == 1, mnemonic);
}

TEST_CASE("f32 denormals are kept where the shader asks for it") {
  ShaderModes modes;
  modes.common.fp32DenormMode = FpDenormMode::FlushNone;
  auto make = [&](BuilderImpl &b, Operands &in) -> std::vector<Value *> {
    return {b.CreateFma(in.floats(1), in.floats(1), in.floats(1)), b.CreateLog2(in.floats(1))};
  };
  Lowered kept = lower(ShaderStage::Compute, make, "gfx900", modes);
  CHECK(kept.has("v_fma_f32"));
  CHECK(!kept.has("v_mac_f32"));
  CHECK(kept.has("v_cmp_")); // the generic logarithm scales denormals
  CHECK(!lower(ShaderStage::Compute, make).has("v_cmp_"));
}
