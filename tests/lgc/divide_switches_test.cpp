// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/slow/slow_passes.h"
#include "tests/lgc/parse_ir.h"
#include <doctest/doctest.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <sstream>

using namespace llvm;

namespace {

struct Divided {
  LLVMContext context;
  std::unique_ptr<Module> module;
  unsigned switches = 0, widestPhi = 0;

  explicit Divided(const std::string &text) {
    lgc::BuilderContext::initialize();
    auto builderContext = lgc::BuilderContext::create(context, "gfx900");
    REQUIRE(builderContext);
    module = lgc::parseIr(**builderContext, context, text);
    Function &function = *module->getFunction("main");
    FunctionAnalysisManager analyses;
    lgc::DivideSwitchesPass().run(function, analyses);
    CHECK_FALSE(verifyModule(*module, &errs()));
    for (Instruction &inst : instructions(function)) {
      switches += isa<SwitchInst>(inst);
      if (auto *phi = dyn_cast<PHINode>(&inst))
        widestPhi = std::max(widestPhi, phi->getNumIncomingValues());
    }
  }
};

// Cases that fall through to the next, or go to the end.
std::string cases(unsigned count, bool fallThrough) {
  std::string labels, blocks, ends = "[%v, %entry]";
  for (unsigned i = 0; i < count; ++i) {
    const std::string number = std::to_string(i), before = std::to_string(i - 1);
    const bool isLast = i + 1 == count;
    labels += "i32 " + number + ", label %c" + number + "\n";
    blocks += "c" + number + ":\n%x" + number + " = phi float [%v, %entry]" +
              (fallThrough && i ? ", [%y" + before + ", %c" + before + "]" : "") + "\n%y" + number +
              " = fmul float %x" + number + ", " + number + ".0\nbr label %" +
              (fallThrough && !isLast ? "c" + std::to_string(i + 1) : "end") + "\n";
    if (!fallThrough || isLast)
      ends += ", [%y" + number + ", %c" + number + "]";
  }
  return "define amdgpu_ps float @main(float %v, i32 %s) {\nentry:\nswitch i32 %s, label %end [" + labels + "]\n" +
         blocks + "end:\n%r = phi float " + ends + "\nret float %r\n}\n";
}

} // namespace

TEST_CASE("a long row of cases that fall through becomes conditions") {
  CHECK(Divided(cases(100, true)).switches <= 1);
  Divided divided(cases(100, true));
  for (Instruction &inst : instructions(*divided.module->getFunction("main")))
    if (auto *left = dyn_cast<SwitchInst>(&inst))
      for (auto &successor : left->cases()) // the switch tells only values in no case apart
        CHECK(successor.getCaseSuccessor() == left->case_begin()->getCaseSuccessor());
}

TEST_CASE("short rows and cases that do not fall through are left alone") {
  CHECK(Divided(cases(10, true)).switches == 1);
  CHECK(Divided(cases(500, false)).widestPhi == 501);
}

TEST_CASE("what comes from more than a thousand blocks goes through memory") {
  CHECK(Divided(cases(5000, false)).widestPhi == 0);
}

TEST_CASE("of more than a thousand cases, small ones share blocks that choose by the selector") {
  Divided divided(cases(2000, false));
  CHECK(divided.widestPhi == 2000 / 4 + 1);
  Function &function = *divided.module->getFunction("main");
  auto *switchInst = cast<SwitchInst>(function.getEntryBlock().getTerminator());
  for (uint64_t value : {0, 1, 2, 3, 1998}) {
    CAPTURE(value);
    auto *number = ConstantInt::get(Type::getInt32Ty(divided.context), value);
    const BasicBlock *shared = switchInst->findCaseValue(cast<ConstantInt>(number))->getCaseSuccessor();
    unsigned products = 0, choices = 0;
    for (const Instruction &inst : *shared) {
      products += inst.getOpcode() == Instruction::FMul;
      choices += isa<SelectInst>(inst);
    }
    CHECK(products == 4);
    CHECK(choices == 3);
  }
  // The last choice takes the value of the last case.
  const BasicBlock *shared = switchInst->case_begin()->getCaseSuccessor();
  auto *chosen = cast<SelectInst>(shared->getTerminator()->getPrevNode());
  auto *product = cast<Instruction>(chosen->getTrueValue());
  CHECK(cast<ConstantFP>(product->getOperand(1))->isExactlyValue(3.0));
  CHECK(cast<ConstantInt>(cast<ICmpInst>(chosen->getCondition())->getOperand(1))->equalsInt(3));
}

TEST_CASE("cases with an effect do not share blocks") {
  std::istringstream lines(cases(1500, false));
  std::string text;
  for (std::string line; std::getline(lines, line);)
    text += line + (line.find("= fmul float %x") != std::string::npos ? "\nfence release\n" : "\n");
  Divided divided(text);
  auto *switchInst = cast<SwitchInst>(divided.module->getFunction("main")->getEntryBlock().getTerminator());
  SmallPtrSet<BasicBlock *, 32> blocks;
  for (auto &successor : switchInst->cases())
    blocks.insert(successor.getCaseSuccessor());
  CHECK(blocks.size() == 1500);
}

TEST_CASE("what more than a thousand cases begin with is done once, in front of the switch") {
  std::istringstream lines(cases(1500, false));
  std::string text;
  for (std::string line; std::getline(lines, line); text += line + "\n")
    if (line.find("= fmul float %x") != std::string::npos) {
      const std::string number = line.substr(2, line.find(' ') - 2);
      line = "%z" + number + " = fadd float %v, 3.0\n%y" + number + " = fmul float %z" + number + ", " + number + ".0";
    }
  Divided divided(text);
  unsigned sums = 0;
  for (Instruction &inst : instructions(*divided.module->getFunction("main")))
    if (inst.getOpcode() == Instruction::FAdd) {
      ++sums;
      CHECK(inst.getParent()->isEntryBlock());
    }
  CHECK(sums == 1);
}
