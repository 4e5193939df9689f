// SPDX-License-Identifier: MIT
//
// SIFoldOperands makes a move of `or x, -1`, but the move copies x. So this pass makes a move of -1 before that.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// Must run before each si-fold-operands.
class FoldOrOnesPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  FoldOrOnesPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Fold or with -1"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
