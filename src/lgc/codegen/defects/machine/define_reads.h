// SPDX-License-Identifier: MIT
//
// Instruction selection may find that a branch's condition is constant. The last passes then drop the branch, and with
// it the blocks that wrote a register. An instruction that reads the register may stay, where EXEC is 0. Its result
// does not matter, but checkImage refuses a read of a register that no instruction has written on any path. So this
// pass sets such registers to 0 when the function is entered.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// Must run after the last pass that drops branches (si-pre-emit-peephole) and before the hazard recogniser.
class DefineReadsPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  DefineReadsPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Define reads"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
