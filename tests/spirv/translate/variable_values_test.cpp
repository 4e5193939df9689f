// SPDX-License-Identifier: MIT
#include "src/lgc/ops/op.h"
#include "tests/spirv/assembled.h"
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

using namespace dovetail::test;

namespace {

// A fragment shader with variables %x and %y of main (float), which writes %x to its output in the end. `body` has %a
// and %b, two numbers, and %yes, a condition; it ends in the block that is left.
Assembly withVariables(std::string body) {
  Assembly assembly;
  assembly.decorations = "OpDecorate %out Location 0\n";
  assembly.declarations = "%ptr_out = OpTypePointer Output %float\n%out = OpVariable %ptr_out Output\n"
                          "%own = OpTypePointer Function %float\n%own_v4 = OpTypePointer Function %v4float\n"
                          "%change_fn = OpTypeFunction %void %own\n";
  assembly.interface = "%out";
  assembly.body = "%a = OpCompositeExtract %float %p 0\n%b = OpCompositeExtract %float %p 1\n"
                  "%yes = OpFOrdLessThan %bool %a %b\n" +
                  body + "%last = OpLoad %float %x\nOpStore %out %last\n";
  return assembly;
}

// The number that the shader writes.
llvm::Value *written(Translated &translated) {
  INFO(translated.error());
  auto *write = translated.only<lgc::WriteGenericOutputOp>();
  REQUIRE(write);
  CHECK(translated.all<llvm::AllocaInst>().empty());
  CHECK(translated.all<llvm::LoadInst>().empty());
  return write->value();
}

const llvm::ExtractElementInst *component(const llvm::Value *value, uint64_t index) {
  auto *extraction = llvm::dyn_cast<llvm::ExtractElementInst>(value);
  auto *place = extraction ? llvm::dyn_cast<llvm::ConstantInt>(extraction->getIndexOperand()) : nullptr;
  return place && place->getZExtValue() == index ? extraction : nullptr;
}

// The same with these variables.
Assembly declared(Assembly assembly, const std::string &variables) {
  assembly.body = variables + assembly.body;
  return assembly;
}

} // namespace

TEST_CASE("a variable has the value that was stored last") {
  Translated translated(declared(withVariables("OpStore %x %a\nOpStore %x %b\n"), "%x = OpVariable %own Function\n"));
  CHECK(component(written(translated), 1));
}

TEST_CASE("values of two branches meet in a phi") {
  Translated translated(
      declared(withVariables("OpStore %x %a\nOpSelectionMerge %m None\nOpBranchConditional %yes %t %m\n"
                             "%t = OpLabel\nOpStore %x %b\nOpBranch %m\n%m = OpLabel\n"),
               "%x = OpVariable %own Function\n"));
  auto *phi = llvm::dyn_cast<llvm::PHINode>(written(translated));
  REQUIRE(phi);
  CHECK(phi->getNumIncomingValues() == 2);
}

TEST_CASE("a variable that neither branch stores to has no phi") {
  Translated translated(
      declared(withVariables("OpStore %x %a\nOpSelectionMerge %m None\nOpBranchConditional %yes %t %m\n"
                             "%t = OpLabel\nOpStore %y %b\nOpBranch %m\n%m = OpLabel\n"),
               "%x = OpVariable %own Function\n%y = OpVariable %own Function\n"));
  CHECK(component(written(translated), 0));
  CHECK(translated.all<llvm::PHINode>().empty());
}

namespace {

// A loop whose body is `body`; it goes round while %yes.
std::string looping(const std::string &body) {
  return "OpBranch %head\n%head = OpLabel\nOpLoopMerge %end %again None\nOpBranch %inside\n%inside = OpLabel\n" + body +
         "OpBranch %again\n%again = OpLabel\nOpBranchConditional %yes %head %end\n%end = OpLabel\n";
}

} // namespace

TEST_CASE("a loop that stores to a variable has a phi at its head") {
  Translated translated(
      declared(withVariables("OpStore %x %a\n" +
                             looping("%old = OpLoad %float %x\n%new = OpFAdd %float %old %b\nOpStore %x %new\n")),
               "%x = OpVariable %own Function\n"));
  auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(written(translated));
  REQUIRE(sum);
  auto *phi = llvm::dyn_cast<llvm::PHINode>(sum->getOperand(0));
  REQUIRE(phi);
  REQUIRE(phi->getNumIncomingValues() == 2);
  CHECK(component(phi->getIncomingValue(0), 0));
  CHECK(phi->getIncomingValue(1) == sum);
}

TEST_CASE("a variable that a loop only reads has no phi") {
  Translated translated(
      declared(withVariables("OpStore %x %a\n" +
                             looping("%old = OpLoad %float %x\n%new = OpFAdd %float %old %b\nOpStore %y %new\n")),
               "%x = OpVariable %own Function\n%y = OpVariable %own Function\n"));
  CHECK(component(written(translated), 0));
  CHECK(translated.all<llvm::PHINode>().empty());
}

TEST_CASE("a function that a loop calls stores to the variable that it is given") {
  Assembly assembly = declared(withVariables("OpStore %x %a\n" + looping("%none = OpFunctionCall %void %change %x\n")),
                               "%x = OpVariable %own Function\n");
  assembly.functions = "%change = OpFunction %void None %change_fn\n%c = OpFunctionParameter %own\n%ce = OpLabel\n"
                       "%old = OpLoad %float %c\n%new = OpFAdd %float %old %old\nOpStore %c %new\n"
                       "OpReturn\nOpFunctionEnd\n";
  Translated translated(assembly);
  auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(written(translated));
  REQUIRE(sum);
  CHECK(llvm::isa<llvm::PHINode>(sum->getOperand(0)));
}

TEST_CASE("parts of variables keep their values apart") {
  Assembly assembly =
      declared(withVariables("OpStore %v %p\n%two = OpAccessChain %own %v %int_2\nOpStore %two %a\n"
                             "%three = OpAccessChain %own %v %int_3\n%w = OpLoad %float %three\nOpStore %x %w\n"),
               "%x = OpVariable %own Function\n%v = OpVariable %own_v4 Function\n");
  Translated translated(assembly);
  CHECK(component(written(translated), 3));
}

TEST_CASE("a variable whose address is needed is memory") {
  Assembly assembly =
      declared(withVariables("OpStore %v %p\n%i = OpCompositeExtract %int %n 0\n%at = OpAccessChain %own %v %i\n"
                             "%w = OpLoad %float %at\nOpStore %x %w\n"),
               "%x = OpVariable %own Function\n%v = OpVariable %own_v4 Function\n");
  Translated translated(assembly);
  CHECK(translated.error() == "");
  CHECK(translated.all<llvm::AllocaInst>().size() == 1);
}

TEST_CASE("a variable that is read behind thousands of branches has one value") {
  std::string body = "OpStore %x %a\n";
  for (unsigned i = 0; i < 3000; ++i)
    body += fmt::format("OpSelectionMerge %m{0} None\nOpBranchConditional %yes %t{0} %m{0}\n%t{0} = OpLabel\n"
                        "OpStore %y %b\nOpBranch %m{0}\n%m{0} = OpLabel\n",
                        i);
  Translated translated(
      declared(withVariables(body), "%x = OpVariable %own Function\n%y = OpVariable %own Function\n"));
  CHECK(translated.error() == "");
  REQUIRE(translated.only<lgc::WriteGenericOutputOp>());
  CHECK(translated.all<llvm::AllocaInst>().empty());
}
