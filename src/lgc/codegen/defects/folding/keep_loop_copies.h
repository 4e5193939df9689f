// SPDX-License-Identifier: MIT
//
// Lanes that leave a loop one after the other keep uniform values of their own rounds in VGPRs, which are copied from
// SGPRs in the loop. LLVM replaces a read of such a VGPR behind the loop by a read of the SGPR, which then has the
// value of the last round (SIFoldOperands, llvm-project #203256). So this pass adds EXEC to the operands of these
// copies, which do need it. LLVM does not fold such copies.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// Must run before PeepholeOptimizer and SIFoldOperands.
class KeepLoopCopiesPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  KeepLoopCopiesPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Keep copies in loops"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
