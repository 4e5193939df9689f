// SPDX-License-Identifier: MIT
#include "src/lgc/optimize/optimize_passes.h"
#include "tests/lgc/parse_ir.h"
#include <doctest/doctest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;

namespace {

// A shader behind the pass.
struct Defined {
  LLVMContext context;
  std::unique_ptr<Module> module;

  explicit Defined(StringRef body) {
    lgc::BuilderContext::initialize();
    auto builderContext = lgc::BuilderContext::create(context, "gfx900");
    REQUIRE(builderContext);
    std::string text = "declare <4 x float> @llvm.amdgcn.image.load.2d.v4f32.i32(i32, i32, i32, <8 x i32>, i32, i32)\n"
                       "declare void @llvm.amdgcn.exp.f32(i32, i32, float, float, float, float, i1, i1)\n"
                       "declare void @llvm.amdgcn.kill(i1)\n"
                       "define amdgpu_ps float @main(<8 x i32> inreg %t, float %v, i32 %i) {\nentry:\n"
                       "  %c = fcmp olt float %v, 1.0\n" +
                       body.str() + "}\n";
    module = lgc::parseIr(**builderContext, context, text);
    FunctionAnalysisManager analyses;
    lgc::DefineValuesPass().run(*module->getFunction("main"), analyses);
    CHECK_FALSE(verifyModule(*module, &errs()));
  }

  template <typename T> T *first() {
    for (Instruction &inst : instructions(*module->getFunction("main")))
      if (auto *found = dyn_cast<T>(&inst))
        return found;
    return nullptr;
  }
};

bool isZero(const Value *value) {
  auto *constant = dyn_cast<Constant>(value);
  return constant && constant->isNullValue();
}

} // namespace

TEST_CASE("a variable that only one way writes is zero on the other") {
  Defined defined("  br i1 %c, label %some, label %all\nsome:\n  br label %all\n"
                  "all:\n  %r = phi float [ %v, %some ], [ poison, %entry ]\n  ret float %r\n");
  auto *phi = defined.first<PHINode>();
  REQUIRE(phi);
  CHECK(phi->getIncomingValue(0) == defined.module->getFunction("main")->getArg(1));
  CHECK(isZero(phi->getIncomingValue(1)));
}

TEST_CASE("elements of a vector that only one way writes are zero on the other") {
  Defined constant(
      "  br i1 %c, label %some, label %all\nsome:\n  %w = insertelement <2 x float> <float 0.0, float 1.0>, "
      "float %v, i32 0\n  br label %all\nall:\n  %p = phi <2 x float> [ %w, %some ], [ <float undef, float "
      "2.0>, %entry ]\n  %r = extractelement <2 x float> %p, i32 0\n  ret float %r\n");
  auto *other = cast<Constant>(constant.first<PHINode>()->getIncomingValue(1));
  CHECK(isZero(other->getAggregateElement(0u)));
  CHECK(cast<ConstantFP>(other->getAggregateElement(1u))->isExactlyValue(2.0));

  Defined inserted(
      "  br i1 %c, label %some, label %all\nsome:\n  %w = insertelement <2 x float> poison, float %v, i32 1\n"
      "  br label %all\nall:\n  %p = phi <2 x float> [ %w, %some ], [ zeroinitializer, %entry ]\n"
      "  %r = extractelement <2 x float> %p, i32 0\n  ret float %r\n");
  CHECK(isZero(inserted.first<InsertElementInst>()->getOperand(0)));
}

TEST_CASE("a constant is zero where it is undefined or poison, whatever it is made of, and the rest of it stays") {
  // The phi's value from %entry: `given` in front of the pass, `expected` behind it.
  auto checkDefines = [](const std::string &type, const std::string &given, const std::string &expected) {
    CAPTURE(given);
    Defined defined("  br i1 %c, label %some, label %all\nsome:\n  br label %all\nall:\n  %p = phi " + type +
                    " [ zeroinitializer, %some ], [ " + given + ", %entry ]\n  ret float %v\n");
    std::string text;
    raw_string_ostream(text) << *defined.first<PHINode>()->getIncomingValue(1);
    CHECK(text == type + " " + expected);
  };
  const std::string vector = "<4 x i32>";
  checkDefines(vector, "<i32 undef, i32 undef, i32 undef, i32 poison>", "zeroinitializer");
  checkDefines(vector, "<i32 poison, i32 undef, i32 poison, i32 undef>", "zeroinitializer");
  checkDefines(vector, "<i32 1, i32 undef, i32 poison, i32 4>", "<i32 1, i32 0, i32 0, i32 4>");
  checkDefines(vector, "undef", "zeroinitializer");
  checkDefines(vector, "poison", "zeroinitializer");
  checkDefines(vector, "<i32 1, i32 2, i32 3, i32 4>", "<i32 1, i32 2, i32 3, i32 4>");
  checkDefines("<2 x ptr addrspace(4)>", "<ptr addrspace(4) undef, ptr addrspace(4) poison>", "zeroinitializer");
  checkDefines("[2 x i32]", "[i32 undef, i32 poison]", "zeroinitializer");
  checkDefines("[2 x i32]", "[i32 7, i32 poison]", "[i32 7, i32 0]");
  checkDefines("[2 x <2 x i32>]", "[<2 x i32> <i32 undef, i32 poison>, <2 x i32> <i32 1, i32 undef>]",
               "[<2 x i32> zeroinitializer, <2 x i32> <i32 1, i32 0>]");
  checkDefines("{ i32, float }", "{ i32 undef, float poison }", "zeroinitializer");
  checkDefines("{ i32, float }", "{ i32 3, float undef }", "{ i32 3, float 0.000000e+00 }");
  checkDefines("{ [2 x { i32, i1 }], <2 x i16> }",
               "{ [2 x { i32, i1 }] [{ i32, i1 } { i32 1, i1 undef }, { i32, i1 } poison], <2 x i16> <i16 poison, "
               "i16 undef> }",
               "{ [2 x { i32, i1 }] [{ i32, i1 } { i32 1, i1 false }, { i32, i1 } zeroinitializer], <2 x i16> "
               "zeroinitializer }");
}

TEST_CASE("what parts are put into is zero where it is undefined") {
  Defined vector("  br i1 %c, label %some, label %all\nsome:\n  %a = insertelement <4 x float> <float undef, float "
                 "undef, float poison, float poison>, float %v, i32 1\n  %b = insertelement <4 x float> %a, float %v, "
                 "i32 0\n  br label %all\nall:\n  %p = phi <4 x float> [ %b, %some ], [ zeroinitializer, %entry ]\n"
                 "  ret float %v\n");
  CHECK(isZero(vector.first<InsertElementInst>()->getOperand(0)));
  Defined aggregate("  br i1 %c, label %some, label %all\nsome:\n  %a = insertvalue { float, [2 x float] } poison, "
                    "float %v, 1, 0\n  br label %all\nall:\n  %p = phi { float, [2 x float] } [ %a, %some ], "
                    "[ zeroinitializer, %entry ]\n  ret float %v\n");
  CHECK(isZero(aggregate.first<InsertValueInst>()->getOperand(0)));
}

TEST_CASE("what discarded lanes would return costs nothing") {
  Defined defined("  br i1 %c, label %some, label %all\nsome:\n  call void @llvm.amdgcn.kill(i1 false)\n  br label "
                  "%all\nall:\n  %r = phi float [ undef, %some ], [ %v, %entry ]\n  ret float %r\n");
  CHECK(isa<UndefValue>(defined.first<PHINode>()->getIncomingValue(0)));
}

TEST_CASE("what lanes bring that go on where others end is zero where it is undefined") {
  Defined defined("  call void @llvm.amdgcn.kill(i1 %c)\n  %d = fcmp olt float %v, 0.5\n"
                  "  br i1 %d, label %some, label %all\nsome:\n  br label %all\n"
                  "all:\n  %r = phi float [ undef, %entry ], [ %v, %some ]\n  ret float %r\n");
  CHECK(isZero(defined.first<PHINode>()->getIncomingValue(0)));
}

TEST_CASE("what lanes have that a loop has not served yet costs nothing") {
  Defined defined("  br label %loop\nloop:\n  %d = fcmp olt float %v, 2.0\n  br i1 %d, label %serve, label %next\n"
                  "serve:\n  %s = fadd float %v, 1.0\n  br label %next\n"
                  "next:\n  %r = phi float [ poison, %loop ], [ %s, %serve ]\n  br i1 %d, label %end, label %loop\n"
                  "end:\n  ret float %r\n");
  CHECK(isa<UndefValue>(defined.first<PHINode>()->getIncomingValue(0)));
}

TEST_CASE("undefined coordinates are zero, channels that are not exported stay nothing") {
  Defined defined("  %x = call <4 x float> @llvm.amdgcn.image.load.2d.v4f32.i32(i32 15, i32 %i, i32 undef, <8 x i32> "
                  "%t, i32 0, i32 0)\n  %r = extractelement <4 x float> %x, i32 0\n"
                  "  call void @llvm.amdgcn.exp.f32(i32 0, i32 1, float %r, float poison, float poison, float poison, "
                  "i1 true, i1 true)\n  ret float %r\n");
  auto *load = defined.first<IntrinsicInst>();
  REQUIRE(load);
  CHECK(load->getArgOperand(1) == defined.module->getFunction("main")->getArg(2));
  CHECK(isZero(load->getArgOperand(2)));
  auto *exported = cast<IntrinsicInst>(load->getNextNode()->getNextNode());
  CHECK(isa<PoisonValue>(exported->getArgOperand(3)));
}

TEST_CASE("arrays that may come to lie in registers begin as zero, long ones and structures as nothing") {
  auto body = [](const char *type) {
    return std::string("  %a = alloca ") + type +
           ", addrspace(5)\n  %p = getelementptr float, ptr addrspace(5) %a, i32 "
           "%i\n  store float %v, ptr addrspace(5) %p\n  ret float %v\n";
  };
  Defined brief(body("[16 x float]"));
  auto *set = brief.first<MemSetInst>();
  REQUIRE(set);
  CHECK(set->getDest() == brief.first<AllocaInst>());
  CHECK(isZero(set->getValue()));
  CHECK(cast<ConstantInt>(set->getLength())->getZExtValue() == 64);
  CHECK_FALSE(Defined(body("[64 x float]")).first<MemSetInst>());
  CHECK_FALSE(Defined(body("{ float, [3 x float] }")).first<MemSetInst>());
}

TEST_CASE("an array that is written as a whole before anything else begins as nothing") {
  const std::string begin = "  %a = alloca [2 x float], addrspace(5)\n"
                            "  %second = getelementptr i8, ptr addrspace(5) %a, i32 4\n"
                            "  %some = getelementptr float, ptr addrspace(5) %a, i32 %i\n";
  const std::string first = "  store float %v, ptr addrspace(5) %a\n";
  const std::string second = "  store float 1.0, ptr addrspace(5) %second\n";
  const std::string read = "  %r = load float, ptr addrspace(5) %some\n";
  const std::string end = "  ret float %r\n";
  auto isSet = [&](const std::string &body) { return Defined(begin + body + end).first<MemSetInst>() != nullptr; };
  CHECK_FALSE(isSet(first + second + read));
  CHECK(isSet(first + read));
  CHECK(isSet(first + read + second));
  CHECK(isSet("  store float 1.0, ptr addrspace(5) %some\n" + first + second + read));
  CHECK(isSet("  br i1 %c, label %yes, label %no\nyes:\n" + first + "  br label %no\nno:\n" + second + read));
  CHECK_FALSE(isSet("  br i1 %c, label %yes, label %no\nyes:\n  br label %no\nno:\n" + first + second + read));
}
