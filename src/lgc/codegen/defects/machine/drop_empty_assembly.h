// SPDX-License-Identifier: MIT
//
// Values go through empty pieces of assembly to be hidden from instruction selection (hide_result.h). What counts
// instructions behind register allocation would take such a piece for one: it would end a clause of memory
// instructions, for instance, where there is nothing. So this pass drops them.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// To be added behind register allocation: the value goes in and comes out by the same register.
class DropEmptyAssemblyPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  DropEmptyAssemblyPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Drop empty assembly"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
