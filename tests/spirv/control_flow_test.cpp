// SPDX-License-Identifier: MIT
#include "src/lgc/ops/op.h"
#include "tests/spirv/assembled.h"
#include <doctest/doctest.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>

using namespace dovetail::test;

namespace {

// A fragment shader with %out, a float at location 0, and %x and %i from the inputs.
Assembly flow(std::string body, std::string functions = "") {
  Assembly assembly;
  assembly.decorations = "OpDecorate %out Location 0\n";
  assembly.declarations = "%ptr_out = OpTypePointer Output %float\n%out = OpVariable %ptr_out Output\n"
                          "%float_fn = OpTypeFunction %float %float\n";
  assembly.interface = "%out";
  assembly.body = "%x = OpCompositeExtract %float %p 0\n%i = OpCompositeExtract %int %n 0\n"
                  "%c = OpSGreaterThan %bool %i %int_0\n" +
                  body;
  assembly.functions = std::move(functions);
  return assembly;
}

} // namespace

TEST_CASE("a phi takes one entry for each edge of a switch") {
  Translated translated(flow("OpSelectionMerge %merge None\nOpSwitch %i %merge 1 %merge 2 %two 5 %merge\n"
                             "%two = OpLabel\nOpBranch %merge\n%merge = OpLabel\n"
                             "%r = OpPhi %float %x %entry %float_1 %two\nOpStore %out %r\n"));
  CHECK(translated.error() == "");
  auto *phi = translated.only<llvm::PHINode>();
  REQUIRE(phi);
  CHECK(phi->getNumIncomingValues() == 4);
}

TEST_CASE("a loop's phi takes the value of the back edge, whose block may hold calls") {
  Translated translated(
      flow("OpBranch %head\n%head = OpLabel\n%f = OpPhi %float %x %entry %g %continue\n"
           "%k = OpPhi %int %int_0 %entry %k1 %continue\n%again = OpSLessThan %bool %k %int_4\n"
           "OpLoopMerge %merge %continue None\nOpBranchConditional %again %body %merge\n"
           "%body = OpLabel\nOpBranch %continue\n%continue = OpLabel\n"
           "%g = OpFunctionCall %float %twice %f\n%k1 = OpIAdd %int %k %int_1\nOpBranch %head\n"
           "%merge = OpLabel\nOpStore %out %f\n",
           "%twice = OpFunction %float None %float_fn\n%a = OpFunctionParameter %float\n%te = OpLabel\n"
           "%t = OpFAdd %float %a %a\nOpReturnValue %t\nOpFunctionEnd\n"));
  CHECK(translated.error() == "");
  CHECK(translated.all<llvm::PHINode>().size() == 2);
}

TEST_CASE("a function with several returns is inlined with a phi") {
  std::string function = "%f = OpFunction %float None %float_fn\n%a = OpFunctionParameter %float\n%fe = OpLabel\n"
                         "%neg = OpFOrdLessThan %bool %a %float_0\nOpSelectionMerge %fm None\n"
                         "OpBranchConditional %neg %ft %fm\n%ft = OpLabel\nOpReturnValue %float_0\n%fm = OpLabel\n"
                         "OpReturnValue %a\nOpFunctionEnd\n";
  Translated translated(
      flow("%r = OpFunctionCall %float %f %x\n%s = OpFunctionCall %float %f %r\nOpStore %out %s\n", function));
  CHECK(translated.error() == "");
  CHECK(translated.all<llvm::PHINode>().size() == 2);
  CHECK(translated.module().size() > 0);
  for (llvm::Function &declared : translated.module())
    CHECK((declared.isDeclaration() || declared.getName() == "main"));
}

TEST_CASE("a kill goes to the one exit, where outputs are written") {
  Translated translated(flow("OpStore %out %x\nOpSelectionMerge %merge None\nOpBranchConditional %c %dead %merge\n"
                             "%dead = OpLabel\nOpKill\n%merge = OpLabel\n"));
  CHECK(translated.error() == "");
  auto *kill = translated.only<lgc::KillOp>();
  auto *write = translated.only<lgc::WriteGenericOutputOp>();
  REQUIRE(kill);
  REQUIRE(write);
  CHECK(kill->getParent()->getSingleSuccessor() == write->getParent());
  CHECK(translated.all<llvm::ReturnInst>().size() == 1);
}

TEST_CASE("a function that only kills leaves no value behind") {
  Translated translated(flow("%r = OpFunctionCall %float %f %x\nOpStore %out %r\n",
                             "%f = OpFunction %float None %float_fn\n%a = OpFunctionParameter %float\n%fe = OpLabel\n"
                             "OpKill\nOpFunctionEnd\n"));
  CHECK(translated.error() == "");
  CHECK(translated.all<lgc::KillOp>().size() == 1);
}

TEST_CASE("blocks that cannot be reached are left out, and so are their phi entries") {
  Translated translated(
      flow("OpSelectionMerge %merge None\nOpBranchConditional %c %yes %merge\n%yes = OpLabel\nOpBranch %merge\n"
           "%merge = OpLabel\n%r = OpPhi %float %x %entry %float_1 %yes\nOpStore %out %r\nOpReturn\n"
           "%lost = OpLabel\n%l = OpFAdd %float %x %x\nOpBranch %lost2\n%lost2 = OpLabel\n"));
  CHECK(translated.error() == "");
  CHECK(translated.all<llvm::BinaryOperator>().empty());
}

TEST_CASE("switches of 8, 16 and 64 bits compare their own width") {
  for (auto [width, capability, literal] :
       {std::tuple(8, "Int8", "-3"), std::tuple(16, "Int16", "-3"), std::tuple(64, "Int64", "-3")}) {
    Assembly assembly =
        flow("%w = OpSConvert %wide %i\nOpSelectionMerge %merge None\nOpSwitch %w %merge " + std::string(literal) +
             " %two\n%two = OpLabel\nOpStore %out %x\nOpBranch %merge\n%merge = OpLabel\n");
    assembly.capabilities = "OpCapability " + std::string(capability) + "\n";
    assembly.declarations += "%wide = OpTypeInt " + std::to_string(width) + " 1\n";
    Translated translated(assembly);
    CHECK(translated.error() == "");
    auto *switchInst = translated.only<llvm::SwitchInst>();
    REQUIRE(switchInst);
    CHECK(switchInst->case_begin()->getCaseValue()->getSExtValue() == -3);
    CHECK(switchInst->getCondition()->getType()->isIntegerTy(width));
  }
}

TEST_CASE("demotion goes on") {
  Assembly assembly = flow("OpDemoteToHelperInvocation\n%h = OpIsHelperInvocationEXT %bool\n"
                           "%r = OpSelect %float %h %x %float_0\nOpStore %out %r\n");
  assembly.capabilities = "OpCapability DemoteToHelperInvocation\n";
  assembly.extensions = "OpExtension \"SPV_EXT_demote_to_helper_invocation\"\n";
  Translated translated(assembly);
  CHECK(translated.error() == "");
  CHECK(translated.all<lgc::DemoteToHelperInvocationOp>().size() == 1);
  CHECK(translated.all<lgc::IsHelperInvocationOp>().size() == 1);
}
