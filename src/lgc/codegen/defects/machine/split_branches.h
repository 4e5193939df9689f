// SPDX-License-Identifier: MIT
//
// LLVM counts wait states backwards from an instruction, through all blocks in front of its own, each from its end
// (GCNHazardRecognizer). A block may end in a conditional branch and a second one behind it. On the path of the first
// branch, LLVM also counts the second, and makes one wait state too few. So this pass puts the second branch into a
// block of its own.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// Must run before the hazard recogniser.
class SplitBranchesPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  SplitBranchesPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Split branches"; }
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
