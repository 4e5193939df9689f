// SPDX-License-Identifier: MIT
//
// A scalar move of 64 bits has a literal of 32 bits. Some passes make such moves of constants that do not fit
// (SIFixSGPRCopies, llvm-project #200576; PeepholeOptimizer), and the encoder silently cuts these off. So this pass
// replaces each by the pseudo instruction that becomes two moves.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// Must run before the expansion of pseudo instructions.
class SplitWideLiteralsPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  SplitWideLiteralsPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Split wide literals"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
