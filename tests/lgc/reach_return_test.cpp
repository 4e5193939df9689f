// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/defects/ir/reach_return.h"
#include "tests/lgc/parse_ir.h"
#include <doctest/doctest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Verifier.h>

using namespace llvm;

namespace {

struct Compiled {
  LLVMContext context;
  std::unique_ptr<Module> module;
  unsigned branchesToReturn = 0;
  unsigned calls = 0; // that the pass made

  explicit Compiled(StringRef body) {
    lgc::BuilderContext::initialize();
    auto builderContext = lgc::BuilderContext::create(context, "gfx900");
    REQUIRE(builderContext);
    std::string text =
        "define amdgpu_ps { i32, float } @main(i32 inreg %s, float %v, float %w) {\n" + body.str() + "}\n";
    module = lgc::parseIr(**builderContext, context, text);

    Function &function = *module->getFunction("main");
    FunctionAnalysisManager analyses;
    lgc::ReachReturnPass().run(function, analyses);
    CHECK_FALSE(verifyModule(*module));
    for (BasicBlock &block : function)
      if (isa<ReturnInst>(block.getTerminator()))
        branchesToReturn += pred_size(&block);
    for (Instruction &instruction : instructions(function))
      calls += isa<CallInst>(instruction);
    CHECK((*builderContext)->generateCode(*module));
  }
};

// A lane-dependent condition, then a block `ends` for the true side and `goes` for the false side, which returns a
// value from `entry`.
std::string withSide(const char *side) {
  return std::string("entry:\n  %c = fcmp olt float %v, 1.0\n  %x = fadd float %v, %w\n  br i1 %c, label %ends, label "
                     "%goes\n") +
         side +
         "goes:\n  %y = fmul float %x, %x\n  %a = insertvalue { i32, float } poison, i32 %s, 0\n"
         "  %b = insertvalue { i32, float } %a, float %y, 1\n  ret { i32, float } %b\n";
}

} // namespace

TEST_CASE("an infinite loop is given a way to the return, which LLVM cannot compile without") {
  Compiled compiled(withSide("ends:\n  br label %ends\n"));
  CHECK(compiled.branchesToReturn == 2);
}

TEST_CASE("unreachable code goes to the return") {
  Compiled compiled(withSide("ends:\n  unreachable\n"));
  CHECK(compiled.branchesToReturn == 2);
}

TEST_CASE("a value made on one way only is undefined on the new one") {
  Compiled compiled("entry:\n  %c = fcmp olt float %v, 1.0\n  br i1 %c, label %ends, label %makes\n"
                    "ends:\n  br label %ends\n"
                    "makes:\n  %x = fadd float %v, %w\n  br label %goes\n"
                    "goes:\n  %a = insertvalue { i32, float } poison, i32 %s, 0\n"
                    "  %b = insertvalue { i32, float } %a, float %x, 1\n  ret { i32, float } %b\n");
  CHECK(compiled.branchesToReturn == 2);
}

TEST_CASE("a shader that never returns is given a return") {
  Compiled compiled("entry:\n  br label %ends\nends:\n  br label %ends\n");
  CHECK(compiled.branchesToReturn == 1);
}

TEST_CASE("a loop that ends is left alone") {
  Compiled compiled(withSide("ends:\n  %d = fcmp olt float %w, 2.0\n  br i1 %d, label %ends, label %goes\n"));
  CHECK(compiled.branchesToReturn == 2);
  CHECK(compiled.calls == 0);
}
