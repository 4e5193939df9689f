// SPDX-License-Identifier: MIT
#include "src/lgc/code_generator.h"
#include "src/lgc/codegen/defects/ir/ir_passes.h"
#include "tests/lgc/parse_ir.h"
#include <doctest/doctest.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Target/TargetMachine.h>

using namespace llvm;

namespace {

// The block of `main` that has %value behind the pass. Three ways meet in `end`, and `a` is one of them.
std::string blockOf(const std::string &value) {
  LLVMContext context;
  lgc::BuilderContext::initialize();
  auto builderContext = lgc::BuilderContext::create(context, "gfx900");
  REQUIRE(builderContext);
  std::unique_ptr<Module> module = lgc::parseIr(
      **builderContext, context,
      "define amdgpu_ps float @main(<4 x float> %v, i1 %c, i1 %d, float %x) {\nentry:\nbr i1 %c, label %a, label %b\n"
      "a:\n" +
          value +
          "\nbr label %end\nb:\nbr i1 %d, label %end, label %e\ne:\nbr label %end\n"
          "end:\n%r = phi float [ %value, %a ], [ 0.0, %b ], [ 1.0, %e ]\nret float %r\n}\n");
  legacy::PassManager passes;
  passes.add(
      createTargetTransformInfoWrapperPass((*builderContext)->codeGenerator().targetMachine().getTargetIRAnalysis()));
  passes.add(new lgc::HoistFreeValuesPass);
  passes.run(*module);
  for (BasicBlock &block : *module->getFunction("main"))
    for (Instruction &inst : block)
      if (inst.getName() == "value")
        return block.getName().str();
  return "";
}

} // namespace

TEST_CASE("a value that costs nothing stands in front of the ways that meet") {
  CHECK(blockOf("%value = extractelement <4 x float> %v, i32 1") == "entry");
  CHECK(blockOf("%value = fadd float %x, 1.0") == "a"); // it costs an instruction
}
