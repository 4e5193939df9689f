// SPDX-License-Identifier: MIT
//
// Lanes that leave a loop one after the other take uniform values of their own rounds with them, in VGPRs that are
// copied from SGPRs in the loop. LLVM reads the SGPR behind the loop in place of such a copy, where it is that of the
// last round (SIFoldOperands, llvm-project #203256). So this pass says of the copies that they need EXEC, which they
// do; LLVM does not fold those.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// To be added in front of PeepholeOptimizer and SIFoldOperands.
class KeepLoopCopiesPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  KeepLoopCopiesPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Keep copies in loops"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
