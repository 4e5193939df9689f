// SPDX-License-Identifier: MIT
//
// Addresses and data of image and buffer instructions are tuples: values in registers side by side. A value may be at
// one place of one tuple and at another place of a second one. LLVM's register coalescer puts both into a tuple that
// is as wide as the two together, and then a third one with these. Such a tuple is live as a whole where one part of it
// is. The scheduler and the allocator cannot mend that, and waves are lost. So this pass gives the second tuple a move
// of the value, which the coalescer leaves alone.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// Must run in SSA form, before the passes that replace tuples by copies.
class SeparateTuplesPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  SeparateTuplesPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Separate tuples"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
