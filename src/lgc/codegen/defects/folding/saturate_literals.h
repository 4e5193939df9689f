// SPDX-License-Identifier: MIT
//
// On GFX8, SIFoldOperands gives a saturating addition or subtraction a literal. Only the short form takes a literal,
// and the short form cannot saturate. So this pass replaces each one that would get a literal by a minimum and a plain
// operation.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// Must run before each si-fold-operands.
class SaturateLiteralsPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  SaturateLiteralsPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Saturate without a literal"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
