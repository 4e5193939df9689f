// SPDX-License-Identifier: MIT
//
// Values go through empty pieces of assembly to be hidden from instruction selection (hide_result.h). After register
// allocation, LLVM's passes that count instructions would count such a piece as one; it would end a clause of memory
// instructions, for example. So this pass drops these pieces.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// Must run after register allocation, which gives input and output the same register.
class DropEmptyAssemblyPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  DropEmptyAssemblyPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Drop empty assembly"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
