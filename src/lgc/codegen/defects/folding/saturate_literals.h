// SPDX-License-Identifier: MIT
//
// On GFX8, SIFoldOperands gives a saturating addition or subtraction a literal, for which it takes the short form. That
// form cannot saturate. So this pass makes a minimum and a plain operation of each that would get a literal.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// To be added in front of each si-fold-operands.
class SaturateLiteralsPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  SaturateLiteralsPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Saturate without a literal"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
