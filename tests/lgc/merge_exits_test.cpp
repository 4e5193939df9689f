// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/slow/slow_passes.h"
#include "tests/lgc/parse_ir.h"
#include <doctest/doctest.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>

using namespace llvm;

namespace {

struct Merged {
  LLVMContext context;
  std::unique_ptr<Module> module;
  unsigned exits = 0;     // of the loop
  unsigned phis = 0;      // of its only exit block
  unsigned undefined = 0; // values that phis bring

  explicit Merged(const std::string &text) {
    lgc::BuilderContext::initialize();
    auto builderContext = lgc::BuilderContext::create(context, "gfx900");
    REQUIRE(builderContext);
    module = lgc::parseIr(**builderContext, context, text);
    Function &function = *module->getFunction("main");
    FunctionAnalysisManager analyses;
    PassBuilder().registerFunctionAnalyses(analyses);
    lgc::MergeExitsPass().run(function, analyses);
    CHECK_FALSE(verifyModule(*module, &errs()));
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    REQUIRE(loops.getTopLevelLoops().size() == 1);
    SmallVector<BasicBlock *, 8> blocks;
    loops.getTopLevelLoops()[0]->getUniqueExitBlocks(blocks);
    exits = unsigned(blocks.size());
    if (exits == 1)
      for ([[maybe_unused]] PHINode &phi : blocks[0]->phis())
        ++phis;
    for (Instruction &inst : instructions(function))
      if (auto *phi = dyn_cast<PHINode>(&inst))
        undefined += count_if(phi->incoming_values(), [](const Use &use) { return isa<UndefValue>(use.get()); });
  }
};

// A loop that leaves by `count` blocks, each with a value of its own.
std::string loopWithExits(unsigned count) {
  std::string text = "define amdgpu_ps float @main(float %v) {\nentry:\nbr label %b0\n", ends;
  for (unsigned i = 0; i < count; ++i) {
    const std::string n = std::to_string(i), next = std::to_string((i + 1) % count);
    text += "b" + n + ":\n%x" + n + " = fmul float %v, " + n + ".0\n%c" + n + " = fcmp olt float %x" + n +
            ", 3.0\nbr i1 %c" + n + ", label %e" + n + ", label %b" + next + "\ne" + n + ":\n%y" + n +
            " = fadd float %x" + n + ", 1.0\nbr label %end\n";
    ends += (i ? ", " : "") + ("[%y" + n + ", %e" + n + "]");
  }
  return text + "end:\n%r = phi float " + ends + "\nret float %r\n}\n";
}

} // namespace

TEST_CASE("a loop with many exits gets one, and values of one type share a phi") {
  Merged merged(loopWithExits(40));
  CHECK(merged.exits == 1);
  CHECK(merged.phis == 2); // where to go, and the value
  CHECK(merged.undefined == 0);
}

TEST_CASE("a loop with few exits stays as it is") {
  CHECK(Merged(loopWithExits(8)).exits == 8);
}
