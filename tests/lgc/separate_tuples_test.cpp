// SPDX-License-Identifier: MIT
//
// Machine code in SSA form, as instruction selection leaves it: which values that tuples are made of get a move.
#include "src/lgc/builder_context.h"
#include "src/lgc/target/separate_tuples.h"
#include <doctest/doctest.h>
#include <llvm/CodeGen/MIRParser/MIRParser.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/TargetParser/Triple.h>

using namespace llvm;

namespace {

// Counts what the pass has left, before the pass manager deletes it.
struct CountMoves final : MachineFunctionPass {
  static char &id() {
    static char number;
    return number;
  }

  unsigned &count;

  explicit CountMoves(unsigned &into) : MachineFunctionPass(id()), count(into) {}

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override {
    const TargetInstrInfo &info = *function.getSubtarget().getInstrInfo();
    for (const MachineBasicBlock &block : function)
      for (const MachineInstr &inst : block)
        count += info.getName(inst.getOpcode()) == "V_MOV_B32_e32";
    return false;
  }
};

// Moves behind the pass in code that begins with three values, %x, %y and %z, an image %image and a sampler %sampler.
unsigned movesIn(const std::string &instructions) {
  lgc::BuilderContext::initialize();
  std::string error;
  const Triple triple("amdgcn--amdpal");
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  REQUIRE(target);
  std::unique_ptr<TargetMachine> machine(
      target->createTargetMachine(triple, "gfx900", "", TargetOptions(), std::nullopt));
  LLVMContext context;
  const std::string text =
      "--- |\n  target triple = \"amdgcn--amdpal\"\n  define amdgpu_ps void @main() { ret void }\n...\n"
      "---\nname: main\ntracksRegLiveness: false\nbody: |\n  bb.0:\n"
      "    %x:vgpr_32 = IMPLICIT_DEF\n    %y:vgpr_32 = IMPLICIT_DEF\n    %z:vgpr_32 = IMPLICIT_DEF\n"
      "    %image:sgpr_256 = IMPLICIT_DEF\n    %sampler:sgpr_128 = IMPLICIT_DEF\n" +
      instructions + "    S_ENDPGM 0\n...\n";
  std::unique_ptr<MIRParser> parser = createMIRParser(MemoryBuffer::getMemBuffer(text), context);
  std::unique_ptr<Module> module = parser->parseIRModule();
  REQUIRE(module);
  module->setDataLayout(machine->createDataLayout());
  auto *info = new MachineModuleInfoWrapperPass(machine.get());
  REQUIRE_FALSE(parser->parseMachineFunctions(*module, info->getMMI()));
  unsigned moves = 0;
  legacy::PassManager passes;
  passes.add(info);
  passes.add(new lgc::SeparateTuplesPass);
  passes.add(new CountMoves(moves));
  passes.run(*module);
  return moves;
}

std::string pair(const std::string &name, const std::string &first, const std::string &second) {
  return "    %" + name + ":vreg_64 = REG_SEQUENCE %" + first + ", %subreg.sub0, %" + second + ", %subreg.sub1\n";
}

std::string sample(const std::string &name, const std::string &place) {
  return "    %" + name + ":vreg_128 = IMAGE_SAMPLE_V4_V2 %" + place +
         ", %image, %sampler, 15, 0, 0, 0, 0, 0, 0, 0, implicit $exec :: (dereferenceable load (s128), addrspace 8)\n";
}

} // namespace

TEST_CASE("a coordinate that two samples have at different places is moved for the second") {
  CHECK(movesIn(pair("a", "x", "y") + pair("b", "z", "x") + sample("s", "a") + sample("t", "b")) == 1);
}

TEST_CASE("a coordinate that two samples have at the same place is not moved") {
  CHECK(movesIn(pair("a", "x", "y") + pair("b", "x", "z") + sample("s", "a") + sample("t", "b")) == 0);
}

TEST_CASE("a coordinate that is part of a texel is moved if its new tuple reaches beyond the texel") {
  const auto moves = [](const std::string &part, const std::string &first, const std::string &second) {
    return movesIn(pair("a", "x", "y") + sample("s", "a") + "    %r:vgpr_32 = COPY %s." + part + "\n" +
                   pair("b", first, second) + sample("t", "b"));
  };
  CHECK(moves("sub0", "z", "r") == 1);
  CHECK(moves("sub3", "r", "z") == 1);
  CHECK(moves("sub0", "r", "z") == 0);
  CHECK(moves("sub3", "z", "r") == 0);
}

TEST_CASE("a constant is made anew") {
  const std::string constant = "    %k:vgpr_32 = V_MOV_B32_e32 1056964608, implicit $exec\n";
  CHECK(movesIn(constant + pair("a", "x", "k") + pair("b", "k", "y") + sample("s", "a") + sample("t", "b")) == 2);
}

TEST_CASE("tuples that no image instruction takes are left to LLVM") {
  CHECK(movesIn(pair("a", "x", "y") + pair("b", "z", "x")) == 0);
}
