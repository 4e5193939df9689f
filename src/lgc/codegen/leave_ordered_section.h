// SPDX-License-Identifier: MIT
//
// A wave that entered an ordered section (interlock_builder.cpp) must say that it has left it, once, and before it
// ends: other waves wait for that. Shaders say it for their invocations, each where it leaves the section, be it in a
// branch that other lanes do not take.
//
// LeaveOrderedSectionPass puts one message for the wave in place of these: as early as every path comes by, and nothing
// behind it begins or ends a section or discards pixels. If all pixels of a wave are discarded, LLVM ends it in a block
// that all discards share; by this order, the message has not been sent there yet, and OrderedExitPass adds it.
//
// Source: Mesa main, pops.rst, "GFX9-10.3: Exiting the ordered section in the wave".
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PassManager.h>

namespace lgc {

// Accesses to memory are over before other waves hear of it.
llvm::CallInst *sendOrderedDone(llvm::IRBuilderBase &builder);

class LeaveOrderedSectionPass : public llvm::PassInfoMixin<LeaveOrderedSectionPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

// Runs behind the pass that makes the block in which a wave without pixels ends.
class OrderedExitPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  OrderedExitPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Leave the ordered section at early exits"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
