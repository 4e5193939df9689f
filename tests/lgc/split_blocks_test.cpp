// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/slow/split_blocks.h"
#include "tests/lgc/parse_ir.h"
#include <doctest/doctest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace {

struct Split {
  LLVMContext context;
  std::unique_ptr<Module> module;
  bool isChanged = false;
  size_t blocks = 0, largest = 0; // instructions
  bool isConditionBeside = false; // of a branch, in its block
  size_t loads = 0;               // of uniforms

  explicit Split(const std::string &body) {
    lgc::BuilderContext::initialize();
    auto builderContext = lgc::BuilderContext::create(context, "gfx900");
    REQUIRE(builderContext);
    module = lgc::parseIr(**builderContext, context,
                          "declare float @llvm.amdgcn.s.buffer.load.f32(<4 x i32>, i32, i32)\n"
                          "define amdgpu_ps float @main(<4 x i32> inreg %d, float %v, float %w) {\nentry:\n" +
                              body + "}\n");
    Function &function = *module->getFunction("main");
    isChanged = lgc::splitBlocks(function);
    CHECK_FALSE(verifyModule(*module, &errs()));
    blocks = function.size();
    for (const BasicBlock &block : function) {
      largest = std::max(largest, block.size());
      loads += count_if(block, [](const Instruction &inst) {
        auto *call = dyn_cast<IntrinsicInst>(&inst);
        return call && call->getType()->isFloatTy();
      });
      const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
      if (branch && branch->isConditional())
        isConditionBeside = cast<Instruction>(branch->getCondition())->getParent() == &block;
    }
    CHECK((*builderContext)->generateCode(*CloneModule(*module)));
  }
};

// %r0 … %r(count - 1), each from the one before; all use %v.
std::string chain(unsigned count) {
  std::string text = "%r0 = fadd float %w, 1.0\n";
  for (unsigned i = 1; i < count; ++i)
    text += "%r" + std::to_string(i) + " = fmul float %r" + std::to_string(i - 1) + ", %v\n";
  return text;
}

std::string stores(unsigned count) {
  std::string text = "%a = alloca [1000 x float], addrspace(5)\n";
  for (unsigned i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    text += "%p" + number + " = getelementptr [1000 x float], ptr addrspace(5) %a, i32 0, i32 " + number +
            "\nstore volatile float %v, ptr addrspace(5) %p" + number + "\n";
  }
  return text;
}

} // namespace

TEST_CASE("a block of 20,000 instructions is split, so that none has more than some thousands") {
  Split split(chain(20'000) + "ret float %r19999\n");
  CHECK(split.isChanged);
  CHECK(split.blocks >= 5);
  CHECK(split.largest < 6000);
}

TEST_CASE("a block of usual size is left alone") {
  Split split(chain(2'000) + "ret float %r1999\n");
  CHECK_FALSE(split.isChanged);
  CHECK(split.blocks == 1);
}

TEST_CASE("memory accesses count for more than arithmetic") {
  CHECK(Split(stores(1000) + "ret float %v\n").blocks > 10);
  CHECK_FALSE(Split(stores(100) + "ret float %v\n").isChanged);
}

TEST_CASE("what a branch depends on stays in front of it") {
  Split split(chain(20'000) + "%c = fcmp olt float %r19999, 1.0\nbr i1 %c, label %then, label %end\n"
                              "then:\nbr label %end\nend:\n"
                              "%x = phi float [%v, %entry], [%r5, %then]\nret float %x\n");
  CHECK(split.isChanged);
  CHECK(split.isConditionBeside);
}

TEST_CASE("values are computed in front of their first use where a block is split, not all at its beginning") {
  std::string text, sums = "%s0 = fadd float %w, 1.0\n";
  for (unsigned i = 0; i < 6000; ++i) {
    const std::string number = std::to_string(i), next = std::to_string(i + 1);
    text += "%m" + number + " = fmul float %v, " + number + ".0\n";
    sums += "%s" + next + " = fadd float %s" + number + ", %m" + number + "\n";
  }
  Split split(text + sums + "ret float %s6000\n");
  CHECK(split.isChanged);
  size_t crossings = 0;
  for (Instruction &inst : instructions(*split.module->getFunction("main")))
    if (inst.getName().starts_with("m"))
      crossings += cast<Instruction>(inst.user_back())->getParent() != inst.getParent();
  CHECK(crossings < split.blocks);
}

// A chain of sums that uses `count` uniforms, one after the other, again and again.
std::string uniformSums(unsigned count) {
  std::string text = "%s0 = fadd float %v, %w\n";
  for (unsigned i = 0; i < count; ++i)
    text += "%u" + std::to_string(i) + " = call float @llvm.amdgcn.s.buffer.load.f32(<4 x i32> %d, i32 " +
            std::to_string(4 * i) + ", i32 0)\n";
  for (unsigned i = 0; i < 12'000; ++i)
    text += "%s" + std::to_string(i + 1) + " = fmul float %s" + std::to_string(i) + ", %u" +
            std::to_string(i / 100 % count) + "\n";
  return text + "ret float %s12000\n";
}

// The number of uses of uniforms in other blocks than the load.
size_t uniformsFromElsewhere(Split &split) {
  size_t found = 0;
  for (Instruction &inst : instructions(*split.module->getFunction("main")))
    for (const Use &operand : inst.operands())
      if (auto *load = dyn_cast<IntrinsicInst>(operand))
        found += load->getParent() != inst.getParent();
  return found;
}

TEST_CASE("where there are more uniforms than SGPRs, each block loads its own") {
  Split split(uniformSums(100));
  CHECK(split.isChanged);
  CHECK(uniformsFromElsewhere(split) == 0);
}

TEST_CASE("what another block has loaded is not loaded again, it may have been in a loop") {
  std::string body = uniformSums(100);
  body.replace(body.find("%v, %w"), 6, "%e, %w");
  Split split("%e = call float @llvm.amdgcn.s.buffer.load.f32(<4 x i32> %d, i32 4000, i32 0)\nbr label %next\nnext:\n" +
              body);
  CHECK(split.isChanged);
  CHECK(uniformsFromElsewhere(split) == 1);
}

TEST_CASE("uniforms that fit in SGPRs are loaded once") {
  Split split(uniformSums(20));
  CHECK(split.isChanged);
  CHECK(uniformsFromElsewhere(split) > 0);
  CHECK(split.loads == 20);
}

TEST_CASE("loads stay between the stores that they were between") {
  std::string text = "%a = alloca [2000 x float], addrspace(5)\n", sums = "%s0 = fadd float %w, 1.0\n";
  for (unsigned i = 0; i < 1000; ++i) {
    const std::string number = std::to_string(i), next = std::to_string(i + 1);
    text += "%p" + number + " = getelementptr [2000 x float], ptr addrspace(5) %a, i32 0, i32 " + number +
            "\nstore float %v, ptr addrspace(5) %p" + number + "\n%l" + number + " = load float, ptr addrspace(5) %p" +
            number + "\nstore float %w, ptr addrspace(5) %p" + number + "\n";
    sums += "%s" + next + " = fadd float %s" + number + ", %l" + number + "\n";
  }
  Split split(text + sums + "ret float %s1000\n");
  CHECK(split.isChanged);
  unsigned stores = 0, loads = 0;
  for (Instruction &inst : instructions(*split.module->getFunction("main"))) {
    stores += isa<StoreInst>(inst);
    if (isa<LoadInst>(inst))
      CHECK(stores == 2 * loads++ + 1);
  }
  CHECK(loads == 1000);
}
