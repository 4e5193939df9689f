// SPDX-License-Identifier: MIT
#include "src/lgc/ops/op.h"
#include "tests/spirv/assembled.h"
#include <doctest/doctest.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace dovetail::test;

namespace {

Assembly withBody(std::string body, std::string declarations = "") {
  Assembly assembly;
  assembly.body = std::move(body);
  assembly.declarations = std::move(declarations);
  return assembly;
}

// Translates one instruction of the set on %p and counts ops of a kind.
template <typename T> size_t countOf(const std::string &instruction) {
  Translated translated(withBody("%r = OpExtInst " + instruction + "\n"));
  INFO(instruction);
  CHECK(translated.error() == "");
  return translated.all<T>().size();
}

} // namespace

TEST_CASE("each function of values becomes its Builder operation") {
  CHECK(countOf<lgc::FSignOp>("%v4float %glsl FSign %p") == 1);
  CHECK(countOf<lgc::SSignOp>("%v4int %glsl SSign %n") == 1);
  CHECK(countOf<lgc::SAbsOp>("%v4int %glsl SAbs %n") == 1);
  CHECK(countOf<lgc::FractOp>("%v4float %glsl Fract %p") == 1);
  CHECK(countOf<lgc::SinOp>("%v4float %glsl Sin %p") == 1);
  CHECK(countOf<lgc::CosOp>("%v4float %glsl Cos %p") == 1);
  CHECK(countOf<lgc::TanOp>("%v4float %glsl Tan %p") == 1);
  CHECK(countOf<lgc::ASinOp>("%v4float %glsl Asin %p") == 1);
  CHECK(countOf<lgc::ACosOp>("%v4float %glsl Acos %p") == 1);
  CHECK(countOf<lgc::ATanOp>("%v4float %glsl Atan %p") == 1);
  CHECK(countOf<lgc::ATan2Op>("%v4float %glsl Atan2 %p %p") == 1);
  CHECK(countOf<lgc::SinhOp>("%v4float %glsl Sinh %p") == 1);
  CHECK(countOf<lgc::CoshOp>("%v4float %glsl Cosh %p") == 1);
  CHECK(countOf<lgc::TanhOp>("%v4float %glsl Tanh %p") == 1);
  CHECK(countOf<lgc::ASinhOp>("%v4float %glsl Asinh %p") == 1);
  CHECK(countOf<lgc::ACoshOp>("%v4float %glsl Acosh %p") == 1);
  CHECK(countOf<lgc::ATanhOp>("%v4float %glsl Atanh %p") == 1);
  CHECK(countOf<lgc::PowerOp>("%v4float %glsl Pow %p %p") == 1);
  CHECK(countOf<lgc::ExpOp>("%v4float %glsl Exp %p") == 1);
  CHECK(countOf<lgc::LogOp>("%v4float %glsl Log %p") == 1);
  CHECK(countOf<lgc::Exp2Op>("%v4float %glsl Exp2 %p") == 1);
  CHECK(countOf<lgc::Log2Op>("%v4float %glsl Log2 %p") == 1);
  CHECK(countOf<lgc::SqrtOp>("%v4float %glsl Sqrt %p") == 1);
  CHECK(countOf<lgc::InverseSqrtOp>("%v4float %glsl InverseSqrt %p") == 1);
  CHECK(countOf<lgc::SmoothStepOp>("%v4float %glsl SmoothStep %p %p %p") == 1);
  CHECK(countOf<lgc::FmaOp>("%v4float %glsl Fma %p %p %p") == 1);
  CHECK(countOf<lgc::LdexpOp>("%v4float %glsl Ldexp %p %n") == 1);
  CHECK(countOf<lgc::FMinOp>("%v4float %glsl FMin %p %p") == 1);
  CHECK(countOf<lgc::FMaxOp>("%v4float %glsl NMax %p %p") == 1);
  CHECK(countOf<lgc::FClampOp>("%v4float %glsl NClamp %p %p %p") == 0); // a median does not handle NaN
  CHECK(countOf<lgc::FindLsbOp>("%v4int %glsl FindILsb %n") == 1);
  CHECK(countOf<lgc::FindSMsbOp>("%v4int %glsl FindSMsb %n") == 1);
  CHECK(countOf<lgc::FindUMsbOp>("%v4int %glsl FindUMsb %n") == 1);
  CHECK(countOf<lgc::NormalizeVectorOp>("%v4float %glsl Normalize %p") == 1);
  CHECK(countOf<lgc::FaceForwardOp>("%v4float %glsl FaceForward %p %p %p") == 1);
  CHECK(countOf<lgc::ReflectOp>("%v4float %glsl Reflect %p %p") == 1);
  CHECK(countOf<lgc::RefractOp>("%v4float %glsl Refract %p %p %float_half") == 1);
}

TEST_CASE("a length is the root of a dot product, and of a scalar its absolute value") {
  Translated vector(withBody("%r = OpExtInst %float %glsl Length %p\n"));
  CHECK(vector.all<lgc::DotProductOp>().size() == 1);
  CHECK(vector.all<lgc::SqrtOp>().size() == 1);
  Translated scalar(withBody("%x = OpCompositeExtract %float %p 0\n%r = OpExtInst %float %glsl Length %x\n"));
  CHECK(scalar.all<lgc::SqrtOp>().empty());
  CHECK(scalar.intrinsics("llvm.fabs") == 1);
}

TEST_CASE("a scalar has no vector operations: its normal is its sign") {
  Translated translated(withBody("%x = OpCompositeExtract %float %p 0\n%a = OpExtInst %float %glsl Normalize %x\n"
                                 "%b = OpExtInst %float %glsl Reflect %x %x\n"
                                 "%c = OpExtInst %float %glsl Refract %x %x %float_half\n"
                                 "%d = OpExtInst %float %glsl FaceForward %x %x %x\n"));
  CHECK(translated.error() == "");
  CHECK(translated.only<lgc::FSignOp>());
  CHECK(translated.all<lgc::NormalizeVectorOp>().empty());
  CHECK(translated.all<lgc::ReflectOp>().empty());
  CHECK(translated.all<lgc::RefractOp>().empty());
  CHECK(translated.all<lgc::FaceForwardOp>().empty());
}

TEST_CASE("modf writes the whole part through its pointer, ModfStruct returns both") {
  Translated structure(withBody("%r = OpExtInst %pair %glsl ModfStruct %p\n%w = OpCompositeExtract %v4float %r 1\n",
                                "%pair = OpTypeStruct %v4float %v4float\n"));
  CHECK(structure.error() == "");
  CHECK(structure.intrinsics("llvm.trunc") == 1);
  Translated private_(withBody(
      "%r = OpExtInst %v4float %glsl Modf %p %whole\n%w = OpLoad %v4float %whole\n%d = OpFAdd %v4float %w %w\n",
      "%ptr_private = OpTypePointer Private %v4float\n%whole = OpVariable %ptr_private Private\n"));
  CHECK(private_.error() == "");
  CHECK(private_.intrinsics("llvm.trunc") == 1);
  const auto read = private_.all<llvm::BinaryOperator>();
  REQUIRE(!read.empty());
  CHECK(llvm::isa<llvm::IntrinsicInst>(read.back()->getOperand(0)));
}

TEST_CASE("frexp gives significand and exponent") {
  Translated structure(
      withBody("%r = OpExtInst %pair %glsl FrexpStruct %p\n", "%pair = OpTypeStruct %v4float %v4int\n"));
  CHECK(structure.error() == "");
  CHECK(structure.only<lgc::ExtractSignificandOp>());
  CHECK(structure.only<lgc::ExtractExponentOp>());
}

TEST_CASE("packing rounds to even and clamps first") {
  Translated translated(withBody("%r = OpExtInst %uint %glsl PackUnorm4x8 %p\n"));
  CHECK(translated.error() == "");
  CHECK(translated.only<lgc::FClampOp>());
  CHECK(translated.intrinsics("llvm.roundeven") == 1);
  CHECK(translated.all<llvm::FPToUIInst>().size() == 1);
}

TEST_CASE("signed unpacking keeps the most negative number at -1") {
  std::string extract = "%x = OpCompositeExtract %int %n 0\n%u = OpBitcast %uint %x\n";
  Translated isSigned(withBody(extract + "%r = OpExtInst %v2float %glsl UnpackSnorm2x16 %u\n"));
  CHECK(isSigned.only<lgc::FMaxOp>());
  Translated isUnsigned(withBody(extract + "%r = OpExtInst %v2float %glsl UnpackUnorm2x16 %u\n"));
  CHECK(isUnsigned.error() == "");
  CHECK(isUnsigned.all<lgc::FMaxOp>().empty());
}

TEST_CASE("interpolateAt reads the input anew with its location") {
  Assembly assembly = withBody("%a = OpExtInst %v4float %glsl InterpolateAtCentroid %in\n"
                               "%b = OpExtInst %v4float %glsl InterpolateAtSample %in %int_2\n"
                               "%o = OpCompositeConstruct %v2float %float_half %float_half\n"
                               "%c = OpExtInst %v4float %glsl InterpolateAtOffset %in %o\n");
  assembly.capabilities = "OpCapability InterpolationFunction\n";
  Translated translated(assembly);
  CHECK(translated.error() == "");
  std::vector<lgc::InterpLocation> locations;
  for (auto *read : translated.all<lgc::ReadGenericInputOp>())
    if (read->location() == 0)
      locations.push_back(read->interpLocation());
  CHECK(locations == std::vector{lgc::InterpLocation::Center, lgc::InterpLocation::Centroid,
                                 lgc::InterpLocation::SampleIndex, lgc::InterpLocation::PixelOffset});
}

TEST_CASE("matrix functions are Builder operations") {
  Translated translated(
      withBody("%m = OpCompositeConstruct %mat4 %p %p %p %p\n%i = OpExtInst %mat4 %glsl MatrixInverse %m\n"
               "%d = OpExtInst %float %glsl Determinant %i\n",
               "%mat4 = OpTypeMatrix %v4float 4\n"));
  CHECK(translated.error() == "");
  CHECK(translated.only<lgc::MatrixInverseOp>());
  CHECK(translated.only<lgc::DeterminantOp>());
}
