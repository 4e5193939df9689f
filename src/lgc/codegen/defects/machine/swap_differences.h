// SPDX-License-Identifier: MIT
//
// LLVM 22 makes vector instructions of a scalar |a - b| (si-fix-sgpr-copies), and leaves an SGPR where the subtraction
// takes only a VGPR. Another pass swaps the operands by chance, or none does. So they are swapped at once.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// To be added behind si-fix-sgpr-copies.
class SwapDifferencesPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  SwapDifferencesPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Swap operands of differences"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
