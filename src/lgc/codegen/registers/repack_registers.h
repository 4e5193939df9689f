// SPDX-License-Identifier: MIT
//
// LLVM's allocator takes values as they come. Values of several registers must lie side by side and leave gaps between
// them. If code takes a few VGPRs more than another wave would allow, this pass lays its values out anew, the widest
// first. It keeps the new layout if that lets another wave run.
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
