// SPDX-License-Identifier: MIT
//
// Addresses and data of image and buffer instructions are tuples: values in registers side by side. Where a value is at
// one place of one tuple and at another place of a second one, LLVM's register coalescer merges both into a tuple that
// is as wide as the two together, and a third one with these. Such tuples are live as a whole where one part of them
// is, which neither the scheduler nor the allocator can mend, and waves are lost. So the second tuple gets a move of
// the value, which the coalescer leaves alone.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// Runs in SSA form, in front of the passes that replace tuples by copies.
class SeparateTuplesPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  SeparateTuplesPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Separate tuples"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
