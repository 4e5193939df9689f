// SPDX-License-Identifier: MIT
//
// LLVM 22 turns a scalar |a - b| into vector instructions (si-fix-sgpr-copies), and leaves an SGPR in the operand of
// the subtraction that takes only a VGPR. A later pass may swap the operands by chance. So this pass swaps them at
// once.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// Must run after si-fix-sgpr-copies.
class SwapDifferencesPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  SwapDifferencesPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Swap operands of differences"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
