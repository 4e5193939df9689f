// SPDX-License-Identifier: MIT
#include "tests/lgc/machine_code.h"
#include "src/lgc/builder_context.h"
#include <doctest/doctest.h>
#include <llvm/CodeGen/MIRParser/MIRParser.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/PassRegistry.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/TargetParser/Triple.h>

using namespace llvm;

namespace lgc::test {

namespace {

// The pass manager deletes functions at its end, so this pass looks at them before.
class LookPass final : public MachineFunctionPass {
public:
  explicit LookPass(std::function<void(const MachineFunction &)> look)
      : MachineFunctionPass(ID), m_look(std::move(look)) {}

  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(MachineFunction &function) override {
    m_look(function);
    return false;
  }

private:
  static char ID;
  std::function<void(const MachineFunction &)> m_look;
};

char LookPass::ID = 0;

} // namespace

Pass *passNamed(StringRef name) {
  BuilderContext::initialize();
  const PassInfo *info = PassRegistry::getPassRegistry()->getPassInfo(name);
  REQUIRE(info);
  return info->createPass();
}

void runOnMachineCode(const std::string &blocks, ArrayRef<Pass *> wanted,
                      std::function<void(const MachineFunction &)> look, bool tracksLiveness,
                      const std::string &properties) {
  BuilderContext::initialize();
  std::string error;
  const Triple triple("amdgcn--amdpal");
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  REQUIRE(target);
  std::unique_ptr<TargetMachine> machine(
      target->createTargetMachine(triple, "gfx900", "", TargetOptions(), std::nullopt));
  LLVMContext context;
  const std::string text =
      "--- |\n  target triple = \"amdgcn--amdpal\"\n  define amdgpu_ps void @main() { ret void }\n...\n"
      "---\nname: main\ntracksRegLiveness: " +
      std::string(tracksLiveness ? "true" : "false") + "\n" + properties + "body: |\n" + blocks +
      "    S_ENDPGM 0\n...\n";
  std::unique_ptr<MIRParser> parser = createMIRParser(MemoryBuffer::getMemBuffer(text), context);
  std::unique_ptr<Module> module = parser->parseIRModule();
  REQUIRE(module);
  module->setDataLayout(machine->createDataLayout());
  auto *info = new MachineModuleInfoWrapperPass(machine.get());
  REQUIRE_FALSE(parser->parseMachineFunctions(*module, info->getMMI()));
  legacy::PassManager passes;
  passes.add(info);
  for (Pass *pass : wanted)
    passes.add(pass);
  passes.add(new LookPass(std::move(look)));
  passes.run(*module);
}

} // namespace lgc::test
