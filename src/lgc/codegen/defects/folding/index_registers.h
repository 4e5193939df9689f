// SPDX-License-Identifier: MIT
//
// Code reads and writes an element of an array in registers by an index in an SGPR. LLVM puts a constant in place of
// the SGPR (SIFoldOperands). After allocation it makes GFX9's instructions as if there were an SGPR, takes garbage for
// its number, and ends with a signal. So this pass puts the constant into an SGPR again.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// Must run after SIFoldOperands.
class IndexRegistersPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  IndexRegistersPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Index registers by SGPRs"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
