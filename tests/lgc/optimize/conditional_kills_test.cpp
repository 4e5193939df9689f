// SPDX-License-Identifier: MIT
#include "src/lgc/optimize/optimize_passes.h"
#include "tests/lgc/parse_ir.h"
#include <doctest/doctest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/ValueSymbolTable.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;

namespace {

// A shader behind the pass; %c and %d are conditions.
struct Shader {
  LLVMContext context;
  std::unique_ptr<Module> module;

  explicit Shader(StringRef body) {
    lgc::BuilderContext::initialize();
    auto builderContext = lgc::BuilderContext::create(context, "gfx900");
    REQUIRE(builderContext);
    std::string text = "declare void @llvm.amdgcn.kill(i1)\ndeclare void @llvm.amdgcn.wqm.demote(i1)\n"
                       "declare i64 @llvm.amdgcn.ballot.i64(i1)\n"
                       "define amdgpu_ps float @main(ptr addrspace(1) %p, float %v) {\nentry:\n"
                       "  %c = fcmp olt float %v, 1.0\n  %d = fcmp olt float %v, 0.5\n" +
                       body.str() + "}\n";
    module = lgc::parseIr(**builderContext, context, text);
    FunctionAnalysisManager analyses;
    lgc::ConditionalKillsPass().run(main(), analyses);
    CHECK_FALSE(verifyModule(*module, &errs()));
  }

  Function &main() { return *module->getFunction("main"); }

  // For each kill, the condition of the lanes that go on behind it.
  SmallVector<Value *, 4> kills() {
    SmallVector<Value *, 4> conditions;
    for (Instruction &inst : instructions(main()))
      if (auto *call = dyn_cast<IntrinsicInst>(&inst); call && call->getIntrinsicID() == Intrinsic::amdgcn_kill)
        conditions.push_back(call->getArgOperand(0));
    return conditions;
  }

  Value *value(StringRef name) { return main().getValueSymbolTable()->lookup(name); }
  // Whether a branch on the unchanged condition is left.
  bool hasBranchOn(StringRef condition) {
    return any_of(value(condition)->users(), [](User *user) { return isa<BranchInst>(user); });
  }
};

const std::string Kill = "end:\n  call void @llvm.amdgcn.kill(i1 false)\n  br label %exit\n";
const std::string Exit = "exit:\n  %r = phi float [ undef, %end ], [ %v, %on ]\n  ret float %r\n";

} // namespace

TEST_CASE("lanes that only end are ended in front, those go on for which the condition is false") {
  Shader shader("  br i1 %c, label %end, label %on\n" + Kill + "on:\n  br label %exit\n" + Exit);
  REQUIRE(shader.kills().size() == 1);
  CHECK(PatternMatch::match(shader.kills()[0], PatternMatch::m_Not(PatternMatch::m_Specific(shader.value("c")))));
  CHECK_FALSE(shader.hasBranchOn("c"));
  CHECK(shader.value("end") == nullptr);
}

TEST_CASE("shaders that ask which lanes there are keep the blocks of their kills") {
  Shader shader("  %b = call i64 @llvm.amdgcn.ballot.i64(i1 %d)\n  br i1 %c, label %end, label %on\n" + Kill +
                "on:\n  br label %exit\n" + Exit);
  CHECK(shader.hasBranchOn("c"));
}

TEST_CASE("lanes for which the condition is true go on") {
  Shader shader("  br i1 %c, label %on, label %end\n" + Kill + "on:\n  br label %exit\n" + Exit);
  REQUIRE(shader.kills().size() == 1);
  CHECK(shader.kills()[0] == shader.value("c"));
}

TEST_CASE("a block that several blocks end their lanes in") {
  Shader shader("  br i1 %c, label %end, label %next\nnext:\n  br i1 %d, label %on, label %end\n" + Kill +
                "on:\n  br label %exit\n" + Exit);
  REQUIRE(shader.kills().size() == 2);
  CHECK(shader.kills()[1] == shader.value("d"));
  CHECK(shader.value("end") == nullptr);
}

TEST_CASE("where both ways only end lanes, one stays for those that go on") {
  Shader shader("  br i1 %c, label %end, label %on\n" + Kill +
                "on:\n  call void @llvm.amdgcn.kill(i1 false)\n  br label %exit\n" + Exit);
  CHECK(shader.kills().size() == 2);
  CHECK_FALSE(shader.hasBranchOn("c"));
}

TEST_CASE("lanes that write something before they end keep their block") {
  Shader shader("  br i1 %c, label %end, label %on\nend:\n  store float %v, ptr addrspace(1) %p\n"
                "  call void @llvm.amdgcn.kill(i1 false)\n  br label %exit\non:\n  br label %exit\n" +
                Exit);
  CHECK(shader.hasBranchOn("c"));
}

TEST_CASE("lanes that become helpers keep their block") {
  Shader shader("  br i1 %c, label %end, label %on\nend:\n  call void @llvm.amdgcn.wqm.demote(i1 false)\n"
                "  br label %exit\non:\n  br label %exit\n" +
                Exit);
  CHECK(shader.hasBranchOn("c"));
}

TEST_CASE("a block that ends only some of its lanes stays") {
  Shader shader("  br i1 %c, label %end, label %on\nend:\n  call void @llvm.amdgcn.kill(i1 %d)\n"
                "  br label %exit\non:\n  br label %exit\n" +
                Exit);
  CHECK(shader.hasBranchOn("c"));
}

TEST_CASE("a loop that is left by ending lanes alone keeps its way out") {
  Shader shader("  br label %loop\nloop:\n  br i1 %c, label %end, label %loop\n" + Kill +
                "exit:\n  %r = phi float [ undef, %end ]\n  ret float %r\n");
  CHECK(shader.hasBranchOn("c"));
}
