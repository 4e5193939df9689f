// SPDX-License-Identifier: MIT
#include "src/lgc/ops/op.h"
#include "tests/spirv/assembled.h"
#include <doctest/doctest.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Operator.h>

using namespace dovetail::test;

namespace {

Assembly values(std::string body, std::string decorations = "") {
  Assembly assembly;
  assembly.decorations = std::move(decorations);
  assembly.body = "%x = OpCompositeExtract %float %p 0\n%y = OpCompositeExtract %float %p 1\n"
                  "%i = OpCompositeExtract %int %n 0\n%j = OpCompositeExtract %int %n 1\n" +
                  body;
  return assembly;
}

// The only binary operator with this opcode.
llvm::BinaryOperator *operation(Translated &translated, unsigned opcode) {
  CHECK(translated.error() == "");
  llvm::BinaryOperator *found = nullptr;
  for (auto *binary : translated.all<llvm::BinaryOperator>()) {
    if (binary->getOpcode() == opcode)
      found = binary;
  }
  REQUIRE(found);
  return found;
}

} // namespace

TEST_CASE("an addition may be contracted unless NoContraction") {
  Translated free(values("%r = OpFAdd %float %x %y\n"));
  CHECK(operation(free, llvm::Instruction::FAdd)->hasAllowContract());
  CHECK_FALSE(operation(free, llvm::Instruction::FAdd)->hasNoNaNs());
  Translated exact(values("%r = OpFAdd %float %x %y\n", "OpDecorate %r NoContraction\n"));
  CHECK_FALSE(operation(exact, llvm::Instruction::FAdd)->hasAllowContract());
}

TEST_CASE("nothing is contracted in a shader with an invariant output") {
  Assembly assembly =
      values("%r = OpFAdd %float %x %y\nOpStore %out %r\n", "OpDecorate %out Location 0\nOpDecorate %out Invariant\n");
  assembly.declarations = "%ptr_out = OpTypePointer Output %float\n%out = OpVariable %ptr_out Output\n";
  assembly.interface = "%out";
  Translated translated(assembly);
  CHECK_FALSE(operation(translated, llvm::Instruction::FAdd)->hasAllowContract());
}

TEST_CASE("a division by what may be zero is guarded, by a constant is not") {
  Translated guarded(values("%r = OpSDiv %int %i %j\n"));
  CHECK(llvm::isa<llvm::SelectInst>(operation(guarded, llvm::Instruction::SDiv)->getOperand(1)));
  Translated constant(values("%r = OpSDiv %int %i %int_3\n"));
  CHECK(llvm::isa<llvm::ConstantInt>(operation(constant, llvm::Instruction::SDiv)->getOperand(1)));
}

TEST_CASE("a shift is taken modulo the width") {
  Translated translated(values("%r = OpShiftLeftLogical %int %i %j\n"));
  auto *amount = llvm::dyn_cast<llvm::BinaryOperator>(operation(translated, llvm::Instruction::Shl)->getOperand(1));
  REQUIRE(amount);
  CHECK(amount->getOpcode() == llvm::Instruction::And);
}

TEST_CASE("a quotient is accurate to 2.5 ULP") {
  Translated translated(values("%r = OpFDiv %float %x %y\n"));
  CHECK(llvm::cast<llvm::FPMathOperator>(operation(translated, llvm::Instruction::FDiv))->getFPAccuracy() == 2.5f);
}

TEST_CASE("extended products have the high half second") {
  Assembly assembly = values("%r = OpSMulExtended %pair %i %j\n%h = OpCompositeExtract %int %r 1\n");
  assembly.declarations = "%pair = OpTypeStruct %int %int\n";
  Translated translated(assembly);
  CHECK(operation(translated, llvm::Instruction::LShr)->getType()->isIntegerTy(64));
  CHECK(translated.all<llvm::SExtInst>().size() == 2);
}

TEST_CASE("a conversion to an integer is no poison") {
  Translated translated(values("%r = OpConvertFToS %int %x\n"));
  CHECK(translated.error() == "");
  auto *freeze = translated.only<llvm::FreezeInst>();
  REQUIRE(freeze);
  CHECK(llvm::isa<llvm::FPToSIInst>(freeze->getOperand(0)));
}

TEST_CASE("a shuffle of vectors of different lengths keeps its numbers") {
  Translated translated(
      values("%v = OpVectorShuffle %v2float %p %p 2 3\n%r = OpVectorShuffle %v3float %v %p 0 3 4294967295\n"));
  CHECK(translated.error() == "");
  auto *last = translated.all<llvm::ShuffleVectorInst>().back();
  CHECK(last->getMaskValue(0) == 0);
  CHECK(last->getMaskValue(1) == 5); // component 1 of %p, after four of the widened %v
  CHECK(last->getMaskValue(2) == -1);
}

TEST_CASE("matrix products are Builder operations") {
  Assembly assembly = values(
      "%m = OpCompositeConstruct %mat %p %p\n%t = OpTranspose %tmat %m\n%v = OpVectorTimesMatrix %v2float %p %m\n"
      "%w = OpMatrixTimesVector %v4float %m %v\n%mm = OpMatrixTimesMatrix %square %m %t\n%d = OpDot %float %p %p\n");
  assembly.declarations =
      "%mat = OpTypeMatrix %v4float 2\n%tmat = OpTypeMatrix %v2float 4\n%square = OpTypeMatrix %v4float 4\n";
  Translated translated(assembly);
  CHECK(translated.error() == "");
  CHECK(translated.all<lgc::TransposeMatrixOp>().size() == 1);
  CHECK(translated.all<lgc::VectorTimesMatrixOp>().size() == 1);
  CHECK(translated.all<lgc::MatrixTimesVectorOp>().size() == 1);
  CHECK(translated.all<lgc::MatrixTimesMatrixOp>().size() == 1);
  CHECK(translated.all<lgc::DotProductOp>().size() == 1);
}

TEST_CASE("any and all of a vector are combined bit by bit") {
  Assembly assembly = values("%c = OpFOrdLessThan %v4bool %p %p\n%r = OpAny %bool %c\n%s = OpAll %bool %c\n");
  assembly.declarations = "%v4bool = OpTypeVector %bool 4\n";
  Translated translated(assembly);
  CHECK(translated.error() == "");
  unsigned ors = 0, ands = 0;
  for (auto *binary : translated.all<llvm::BinaryOperator>()) {
    ors += binary->getOpcode() == llvm::Instruction::Or;
    ands += binary->getOpcode() == llvm::Instruction::And;
  }
  CHECK(ors == 3);
  CHECK(ands == 3);
}
