// SPDX-License-Identifier: MIT
#include "src/spirv/translate/functions.h"
#include "tests/spirv/translate/workbench.h"
#include <doctest/doctest.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

using namespace dovetail;
using namespace dovetail::test;

namespace {

// Translates main, and ends the LLVM function.
Result<void> translateMain(Workbench &bench) {
  spirv::Functions functions(bench.services(), nullptr);
  Result<void> result = functions.translateEntry(bench.function("main"));
  bench.builder().CreateRetVoid();
  return result;
}

template <typename T> std::vector<T *> made(Workbench &bench) {
  std::vector<T *> found;
  for (llvm::Instruction &inst : llvm::instructions(bench.services().main))
    if (auto *match = llvm::dyn_cast<T>(&inst))
      found.push_back(match);
  return found;
}

} // namespace

TEST_CASE("the condition of a branch is frozen") {
  Assembly assembly;
  assembly.body = "%c = OpFOrdLessThan %bool %float_0 %float_1\nOpSelectionMerge %after None\n"
                  "OpBranchConditional %c %then %after\n%then = OpLabel\nOpBranch %after\n%after = OpLabel\n";
  Workbench bench(assembly, {"main"});
  REQUIRE(translateMain(bench));
  for (llvm::BranchInst *branch : made<llvm::BranchInst>(bench))
    if (branch->isConditional())
      CHECK((llvm::isa<llvm::FreezeInst>(branch->getCondition()) || llvm::isa<llvm::Constant>(branch->getCondition())));
}

TEST_CASE("blocks that nothing leads to are left out") {
  Assembly assembly;
  assembly.body = "OpBranch %after\n%lost = OpLabel\n%x = OpFAdd %v4float %p %p\nOpBranch %after\n%after = OpLabel\n";
  Workbench bench(assembly, {"main"});
  REQUIRE(translateMain(bench));
  CHECK(made<llvm::BinaryOperator>(bench).empty());
}

TEST_CASE("a phi has a value for each edge of a switch") {
  Assembly assembly;
  assembly.body = "%i = OpCompositeExtract %int %n 0\nOpSelectionMerge %after None\n"
                  "OpSwitch %i %after 1 %after 2 %other\n%other = OpLabel\nOpBranch %after\n%after = OpLabel\n"
                  "%x = OpPhi %float %float_0 %entry %float_1 %other\n";
  Workbench bench(assembly, {"main", "x"});
  REQUIRE(translateMain(bench));
  REQUIRE(made<llvm::PHINode>(bench).size() == 1);
  CHECK(made<llvm::PHINode>(bench)[0]->getNumIncomingValues() == 3);
}

TEST_CASE("each call translates the function again, and joins what it returns") {
  Assembly assembly;
  assembly.declarations = "%fn = OpTypeFunction %float %float\n";
  assembly.body = "%a = OpCompositeExtract %float %p 0\n%r = OpFunctionCall %float %f %a\n"
                  "%q = OpFunctionCall %float %f %r\n";
  assembly.functions = "%f = OpFunction %float None %fn\n%x = OpFunctionParameter %float\n%first = OpLabel\n"
                       "%c = OpFOrdLessThan %bool %x %float_0\nOpSelectionMerge %rest None\n"
                       "OpBranchConditional %c %early %rest\n%early = OpLabel\nOpReturnValue %float_0\n"
                       "%rest = OpLabel\n%y = OpFMul %float %x %x\nOpReturnValue %y\nOpFunctionEnd\n";
  Workbench bench(assembly, {"main"});
  REQUIRE(translateMain(bench));
  CHECK(made<llvm::BinaryOperator>(bench).size() == 2);
  REQUIRE(made<llvm::PHINode>(bench).size() == 2);
  for (llvm::PHINode *phi : made<llvm::PHINode>(bench))
    CHECK(phi->getNumIncomingValues() == 2);
}

TEST_CASE("the value that a function returns is the only one, if it returns once") {
  Assembly assembly;
  assembly.declarations = "%fn = OpTypeFunction %float\n";
  assembly.body = "%r = OpFunctionCall %float %f\n%q = OpFAdd %float %r %float_half\n";
  assembly.functions = "%f = OpFunction %float None %fn\n%first = OpLabel\nOpReturnValue %float_1\nOpFunctionEnd\n";
  Workbench bench(assembly, {"main"});
  REQUIRE(translateMain(bench));
  CHECK(made<llvm::PHINode>(bench).empty());
}
