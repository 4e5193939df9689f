// SPDX-License-Identifier: MIT
#include "src/lgc/builder_context.h"
#include "src/lgc/optimize/optimize_passes.h"
#include <doctest/doctest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>

using namespace llvm;

namespace {

// Whether the pass removes the freeze of %c, an i1 that `body` makes of the inputs in block %entry.
bool thaws(StringRef body, StringRef end = "  br i1 %f, label %yes, label %no\n") {
  lgc::BuilderContext::initialize();
  LLVMContext context;
  std::string text = "@table = private addrspace(4) constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]\n"
                     "@shared = internal addrspace(3) global [4 x i32] poison\n"
                     "declare float @llvm.amdgcn.interp.p1(float, i32, i32, i32)\n"
                     "declare float @llvm.fabs.f32(float)\n"
                     "declare i32 @llvm.ctlz.i32(i32, i1)\n"
                     "define amdgpu_ps float @main(i32 inreg %s, float %v, i32 %i) {\nentry:\n" +
                     body.str() + "  %f = freeze i1 %c\n" + end.str() +
                     "yes:\n  ret float 0.0\nno:\n  ret float 1.0\n}\n";
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseAssemblyString(text, diagnostic, context);
  INFO(diagnostic.getMessage().str());
  REQUIRE(module);
  Function &function = *module->getFunction("main");
  FunctionAnalysisManager analyses;
  lgc::ThawBranchesPass().run(function, analyses);
  CHECK_FALSE(verifyModule(*module, &errs()));
  return none_of(instructions(function), [](const Instruction &inst) { return isa<FreezeInst>(inst); });
}

} // namespace

TEST_CASE("branches on what inputs and the hardware give are thawed") {
  CHECK(thaws("  %c = fcmp olt float %v, 1.0\n"));
  CHECK(thaws("  %x = call float @llvm.amdgcn.interp.p1(float %v, i32 0, i32 0, i32 %s)\n"
              "  %y = call float @llvm.fabs.f32(float %x)\n  %c = fcmp olt float %y, 1.0\n"));
  CHECK(thaws("  %x = call i32 @llvm.ctlz.i32(i32 %i, i1 false)\n  %c = icmp eq i32 %x, 0\n"));
}

TEST_CASE("a branch stays frozen on values without bits of their own, and on what is computed from them") {
  CHECK_FALSE(thaws("  %c = icmp slt i32 undef, 1\n"));
  CHECK_FALSE(thaws("  %x = select i1 poison, float %v, float 1.0\n  %y = fmul float %x, %v\n"
                    "  %c = fcmp olt float %y, 1.0\n"));
  CHECK_FALSE(thaws("  %x = call float @llvm.fabs.f32(float undef)\n  %c = fcmp olt float %x, 1.0\n"));
}

TEST_CASE("a branch stays frozen on what an instruction leaves undefined") {
  CHECK_FALSE(thaws("  %x = shl i32 1, %i\n  %c = icmp eq i32 %x, 4\n"));
  CHECK_FALSE(thaws("  %x = fptosi float %v to i32\n  %c = icmp eq i32 %x, 4\n"));
  CHECK_FALSE(thaws("  %x = add nsw i32 %i, 1\n  %c = icmp eq i32 %x, 4\n"));
  CHECK_FALSE(thaws("  %x = call i32 @llvm.ctlz.i32(i32 %i, i1 true)\n  %c = icmp eq i32 %x, 0\n"));
  CHECK_FALSE(thaws("  %x = extractelement <2 x i32> <i32 3, i32 4>, i32 %i\n  %c = icmp eq i32 %x, 4\n"));
}

TEST_CASE("a branch stays frozen on a variable and on a table, not on shared memory") {
  CHECK_FALSE(thaws("  %a = alloca [4 x i32], addrspace(5)\n"
                    "  %p = getelementptr [4 x i32], ptr addrspace(5) %a, i32 0, i32 %i\n"
                    "  %x = load i32, ptr addrspace(5) %p\n  %c = icmp eq i32 %x, 4\n"));
  CHECK_FALSE(thaws("  %p = getelementptr [4 x i32], ptr addrspace(4) @table, i32 0, i32 %i\n"
                    "  %x = load i32, ptr addrspace(4) %p\n  %c = icmp eq i32 %x, 4\n"));
  CHECK(thaws("  %p = getelementptr [4 x i32], ptr addrspace(3) @shared, i32 0, i32 %i\n"
              "  %x = load i32, ptr addrspace(3) %p\n  %c = icmp eq i32 %x, 4\n"));
}

TEST_CASE("a vector is defined as soon as all of its elements are") {
  std::string half = "  %h = insertelement <2 x float> poison, float %v, i32 1\n";
  std::string whole = "  %w = insertelement <2 x float> %h, float 2.0, i32 0\n";
  std::string rest = "  %d = fadd <2 x float> %w, %w\n  %x = extractelement <2 x float> %d, i32 0\n"
                     "  %c = fcmp olt float %x, 1.0\n";
  CHECK(thaws(half + whole + rest));
  CHECK_FALSE(thaws(half + "  %w = insertelement <2 x float> %h, float 2.0, i32 1\n" + rest));
  CHECK_FALSE(thaws(half + "  %w = insertelement <2 x float> %h, float undef, i32 0\n" + rest));
  CHECK(thaws("  %w = insertelement <2 x float> <float 0.0, float poison>, float %v, i32 1\n" + rest));
  CHECK_FALSE(thaws("  %w = insertelement <2 x float> <float poison, float 0.0>, float %v, i32 1\n" + rest));
  CHECK(thaws(half + "  %w = shufflevector <2 x float> %h, <2 x float> zeroinitializer, <2 x i32> <i32 2, i32 3>\n" +
              rest));
  CHECK_FALSE(thaws(half +
                    "  %w = shufflevector <2 x float> %h, <2 x float> zeroinitializer, <2 x i32> <i32 1, i32 "
                    "2>\n" +
                    rest));
}

TEST_CASE("a constant is defined if each part of it is") {
  auto thawsPartOf = [](const std::string &type, const std::string &constant, const std::string &place) {
    CAPTURE(constant);
    const bool isVector = type.front() == '<';
    return thaws("  %a = " + (isVector ? "insertelement " : std::string("insertvalue ")) + type + " " + constant +
                 ", i32 %i, " + (isVector ? "i32 " : "") + place +
                 "\n  %x = " + (isVector ? "extractelement " : "extractvalue ") + type + " %a, " +
                 (isVector ? "i32 " : "") + place + "\n  %c = icmp eq i32 %x, 4\n");
  };
  CHECK(thawsPartOf("<3 x i32>", "<i32 undef, i32 1, i32 2>", "0"));
  CHECK_FALSE(thawsPartOf("<3 x i32>", "<i32 undef, i32 poison, i32 undef>", "0"));
  CHECK_FALSE(thawsPartOf("<3 x i32>", "<i32 undef, i32 1, i32 poison>", "0"));
  CHECK(thawsPartOf("[2 x i32]", "[i32 poison, i32 1]", "0"));
  CHECK_FALSE(thawsPartOf("[3 x i32]", "[i32 poison, i32 undef, i32 poison]", "0"));
  CHECK(thawsPartOf("{ i32, [2 x <2 x i32>] }",
                    "{ i32 undef, [2 x <2 x i32>] [<2 x i32> <i32 1, i32 2>, <2 x i32> zeroinitializer] }", "0"));
  CHECK_FALSE(
      thawsPartOf("{ i32, [2 x <2 x i32>] }",
                  "{ i32 undef, [2 x <2 x i32>] [<2 x i32> <i32 1, i32 2>, <2 x i32> <i32 poison, i32 undef>] }", "0"));
  CHECK_FALSE(thawsPartOf("{ i32, float, i32 }", "{ i32 0, float poison, i32 undef }", "0"));
}

TEST_CASE("a loop is thawed if nothing undefined goes into it from before or from behind") {
  auto loop = [](const char *start, const char *step) {
    return std::string("  br label %head\nhead:\n  %n = phi i32 [ ") + start +
           ", %entry ], [ %m, %head ]\n  %m = add i32 %n, " + step + "\n  %c = icmp slt i32 %n, %i\n";
  };
  const char *end = "  br i1 %f, label %head, label %no\n";
  CHECK(thaws(loop("0", "1"), end));
  CHECK_FALSE(thaws(loop("poison", "1"), end));
  CHECK_FALSE(thaws(loop("0", "undef"), end));
}

TEST_CASE("a freeze that is there for more than branches stays") {
  CHECK_FALSE(thaws("  %c = fcmp olt float %v, 1.0\n",
                    "  %r = select i1 %f, float %v, float 0.0\n  %d = fcmp olt float %r, 2.0\n"
                    "  br i1 %d, label %yes, label %no\n"));
}
