// SPDX-License-Identifier: MIT
//
// SIFoldOperands makes a move of `or x, -1`, and moves x. So this pass makes the move of -1 in front of it.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// To be added in front of each si-fold-operands.
class FoldOrOnesPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  FoldOrOnesPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Fold or with -1"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
