// SPDX-License-Identifier: MIT
#include "src/lgc/optimize/optimize_passes.h"
#include "tests/lgc/parse_ir.h"
#include <doctest/doctest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>

using namespace llvm;

namespace {

// A shader that samples into %f, before and after the pass. `body` follows the sample.
struct Trimmed {
  LLVMContext context;
  std::unique_ptr<Module> module;
  IntrinsicInst *sample = nullptr; // the only one

  explicit Trimmed(StringRef body, bool combine = false) {
    lgc::BuilderContext::initialize();
    auto builderContext = lgc::BuilderContext::create(context, "gfx900");
    REQUIRE(builderContext);
    std::string text =
        "declare <4 x float> @llvm.amdgcn.image.sample.2d.v4f32.f32(i32, float, float, <8 x i32>, "
        "<4 x i32>, i1, i32, i32)\n"
        "define amdgpu_ps <4 x float> @main(<8 x i32> inreg %t, <4 x i32> inreg %s, float %x, float %y) {\n"
        "  %c = call <4 x float> @llvm.amdgcn.image.sample.2d.v4f32.f32(i32 15, float %x, float %y, "
        "<8 x i32> %t, <4 x i32> %s, i1 false, i32 0, i32 0) convergent\n"
        "  %f = freeze <4 x float> %c\n" +
        body.str() + "}\n";
    module = lgc::parseIr(**builderContext, context, text);

    Function &function = *module->getFunction("main");
    LoopAnalysisManager loops;
    FunctionAnalysisManager functions;
    CGSCCAnalysisManager components;
    ModuleAnalysisManager modules;
    PassBuilder builder;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    if (combine)
      InstCombinePass().run(function, functions);
    lgc::TrimSamplesPass().run(function, functions);
    CHECK_FALSE(verifyModule(*module, &errs()));
    for (Instruction &inst : instructions(function)) {
      CHECK_FALSE(isa<FreezeInst>(inst));
      if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst))
        sample = intrinsic;
    }
    REQUIRE(sample);
    CHECK(sample->isConvergent());
  }

  uint64_t mask() const { return cast<ConstantInt>(sample->getArgOperand(0))->getZExtValue(); }
  unsigned components() const {
    auto *vector = dyn_cast<FixedVectorType>(sample->getType());
    return vector ? vector->getNumElements() : 1;
  }
  bool isHalf() const { return sample->getType()->getScalarType()->isHalfTy(); }
};

} // namespace

TEST_CASE("a sample returns the components that are extracted") {
  Trimmed trimmed("  %a = extractelement <4 x float> %f, i32 1\n  %b = extractelement <4 x float> %f, i32 3\n"
                  "  %r = insertelement <4 x float> zeroinitializer, float %a, i32 0\n"
                  "  %q = insertelement <4 x float> %r, float %b, i32 1\n  ret <4 x float> %q\n");
  CHECK(trimmed.mask() == 0xa);
  CHECK(trimmed.components() == 2);
  // The second component is now at index 1.
  bool isAtOne = false;
  for (User *user : trimmed.sample->users())
    isAtOne |= cast<ConstantInt>(cast<ExtractElementInst>(user)->getIndexOperand())->isOne();
  CHECK(isAtOne);
}

TEST_CASE("a sample of one component is a scalar, also where it is spread over a vector") {
  Trimmed trimmed("  %v = shufflevector <4 x float> %f, <4 x float> poison, <4 x i32> <i32 2, i32 2, i32 2, i32 2>\n"
                  "  ret <4 x float> %v\n");
  CHECK(trimmed.mask() == 4);
  CHECK(trimmed.sample->getType()->isFloatTy());
}

TEST_CASE("a sample that is shuffled with itself returns the components that are taken") {
  Trimmed trimmed("  %v = shufflevector <4 x float> %f, <4 x float> %f, <4 x i32> <i32 1, i32 5, i32 1, i32 7>\n"
                  "  ret <4 x float> %v\n");
  CHECK(trimmed.mask() == 0xa);
  CHECK(trimmed.components() == 2);
}

TEST_CASE("a sample whose components are shuffled returns those") {
  Trimmed trimmed(
      "  %v = shufflevector <4 x float> %f, <4 x float> poison, <4 x i32> <i32 3, i32 0, i32 poison, i32 0>\n"
      "  ret <4 x float> %v\n");
  CHECK(trimmed.mask() == 9);
  CHECK(trimmed.components() == 2);
}

TEST_CASE("a sample may be shuffled with something else") {
  Trimmed trimmed(
      "  %v = shufflevector <4 x float> zeroinitializer, <4 x float> %f, <4 x i32> <i32 5, i32 0, i32 7, i32 1>\n"
      "  ret <4 x float> %v\n");
  CHECK(trimmed.mask() == 0xa);
  CHECK(trimmed.components() == 2);
}

TEST_CASE("a sample that is used as a whole stays, without its freeze") {
  Trimmed trimmed("  ret <4 x float> %f\n");
  CHECK(trimmed.mask() == 15);
  CHECK(trimmed.components() == 4);
}

TEST_CASE("a sample that is only rounded to halves returns halves, and one that is used otherwise, too, does not") {
  Trimmed whole("  %h = fptrunc <4 x float> %f to <4 x half>\n  %r = fpext <4 x half> %h to <4 x float>\n"
                "  ret <4 x float> %r\n");
  CHECK(whole.isHalf());
  CHECK(whole.components() == 4);
  const char *component = "  %a = extractelement <4 x float> %f, i32 2\n  %h = fptrunc float %a to half\n"
                          "  %e = fpext half %h to float\n"
                          "  %r = insertelement <4 x float> zeroinitializer, float %e, i32 0\n";
  Trimmed one(std::string(component) + "  ret <4 x float> %r\n");
  CHECK(one.isHalf());
  CHECK(one.mask() == 4);
  Trimmed both(std::string(component) + "  %q = insertelement <4 x float> %r, float %a, i32 1\n  ret <4 x float> %q\n");
  CHECK_FALSE(both.isHalf());
  CHECK(both.mask() == 4);
}

TEST_CASE("a sample is not moved into the only branch that needs it") {
  Trimmed trimmed("  %k = fcmp olt float %x, 0.5\n  br i1 %k, label %yes, label %no\nyes:\n"
                  "  %a = extractelement <4 x float> %f, i32 1\n"
                  "  %r = insertelement <4 x float> zeroinitializer, float %a, i32 0\n  ret <4 x float> %r\n"
                  "no:\n  ret <4 x float> zeroinitializer\n",
                  true);
  CHECK(trimmed.sample->getParent()->isEntryBlock());
  CHECK(trimmed.mask() == 2);
}
