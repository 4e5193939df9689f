// SPDX-License-Identifier: MIT
//
// An element of an array in registers is read and written by the number in an SGPR. LLVM puts a constant in place of
// the SGPR (SIFoldOperands), but makes the instructions of GFX9 behind allocation as if there were an SGPR, of a number
// that is garbage, and ends with a signal. So this pass puts the constant into an SGPR again.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// To be added behind SIFoldOperands.
class IndexRegistersPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  IndexRegistersPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Index registers by SGPRs"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
