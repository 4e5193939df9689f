// SPDX-License-Identifier: MIT
//
// LLVM's allocator takes values as they come, and values of several registers, which must lie side by side, leave gaps
// between them. Where code takes a few VGPRs more than let another wave run, its values are laid out anew, the widest
// first, and stay so if that lets it run.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// Runs between the allocation of VGPRs and its rewriting of instructions.
class RepackRegistersPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  RepackRegistersPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Repack registers"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
