// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/slow/slow_passes.h"
#include "tests/lgc/parse_ir.h"
#include <doctest/doctest.h>
#include <functional>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;

namespace {

// A shader behind the pass.
struct Copied {
  LLVMContext context;
  std::unique_ptr<Module> module;
  size_t blocks = 0, loads = 0, stores = 0;

  explicit Copied(const std::string &body) {
    lgc::BuilderContext::initialize();
    auto builderContext = lgc::BuilderContext::create(context, "gfx900");
    REQUIRE(builderContext);
    module = lgc::parseIr(**builderContext, context,
                          "declare <4 x i32> @llvm.amdgcn.s.buffer.load.v4i32(<4 x i32>, i32, i32)\n"
                          "declare <4 x i32> @llvm.amdgcn.raw.buffer.load.v4i32(<4 x i32>, i32, i32, i32)\n"
                          "define amdgpu_ps float @main(<4 x i32> inreg %d, ptr addrspace(1) %p, float %v, i32 %i) {\n"
                          "entry:\n  %a = alloca [400 x <4 x i32>], addrspace(5)\n" +
                              body + "  ret float %v\n}\n");
    Function &function = *module->getFunction("main");
    FunctionAnalysisManager analyses;
    PassBuilder().registerFunctionAnalyses(analyses);
    lgc::LoopOverCopiesPass().run(function, analyses);
    CHECK_FALSE(verifyModule(*module, &errs()));
    blocks = function.size();
    for (const Instruction &inst : instructions(function)) {
      loads += isa<IntrinsicInst>(inst);
      stores += isa<StoreInst>(inst);
    }
    CHECK((*builderContext)->generateCode(*module));
  }
};

using Place = std::function<unsigned(unsigned)>;
const Place InOrder = [](unsigned i) { return 16 * i; };

std::string copies(unsigned count, const Place &from = InOrder, const Place &to = InOrder,
                   const std::string &kind = "s", const std::string &between = "") {
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    text += "  %l" + n + " = call <4 x i32> @llvm.amdgcn." + kind + ".buffer.load.v4i32(<4 x i32> %d, i32 " +
            std::to_string(from(i)) + (kind == "s" ? "" : ", i32 0") + ", i32 0)\n  %q" + n +
            " = getelementptr i8, ptr addrspace(5) %a, i32 " + std::to_string(to(i)) + "\n  store <4 x i32> %l" + n +
            ", ptr addrspace(5) %q" + n + "\n";
    if (i == count / 2)
      text += between;
  }
  return text;
}

} // namespace

TEST_CASE("a hundred elements from a uniform buffer are copied by a loop, and the four that are left") {
  Copied copied(copies(100));
  CHECK(copied.blocks == 3);
  CHECK(copied.loads == 8 + 4);
  CHECK(copied.stores == 8 + 4);
}

TEST_CASE("elements from a storage buffer, backwards, at other distances") {
  Copied copied(copies(
      100, [](unsigned i) { return 32 * i; }, [](unsigned i) { return 6000 - 16 * i; }, "raw"));
  CHECK(copied.blocks == 3);
}

TEST_CASE("thirty elements stay as they are") {
  CHECK(Copied(copies(30)).blocks == 1);
}

TEST_CASE("elements at unequal distances stay as they are") {
  CHECK(Copied(copies(100, [](unsigned i) { return 16 * i * i; })).blocks == 1);
  CHECK(Copied(copies(100, InOrder, [](unsigned i) { return 16 * (i % 2 ? i : 200 - i); })).blocks == 1);
}

TEST_CASE("what is written in between divides a copy from a storage buffer") {
  const std::string write = "  store float %v, ptr addrspace(1) %p\n";
  CHECK(Copied(copies(100, InOrder, InOrder, "raw", write)).blocks == 1);
  CHECK(Copied(copies(200, InOrder, InOrder, "raw", write)).blocks == 5);
}

TEST_CASE("what is read of the array in between divides a copy") {
  const std::string read = "  %e = getelementptr float, ptr addrspace(5) %a, i32 %i\n"
                           "  %r = load float, ptr addrspace(5) %e\n  store float %r, ptr addrspace(1) %p\n";
  CHECK(Copied(copies(100, InOrder, InOrder, "s", read)).blocks == 1);
}

TEST_CASE("a value that is used otherwise, too, is loaded for that") {
  Copied copied(copies(100) + "  %u = extractelement <4 x i32> %l50, i32 1\n  %f = bitcast i32 %u to float\n"
                              "  store float %f, ptr addrspace(1) %p\n");
  CHECK(copied.blocks == 3);
  CHECK(copied.loads == 8 + 4 + 1);
}
