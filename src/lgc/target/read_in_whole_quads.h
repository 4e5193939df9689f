// SPDX-License-Identifier: MIT
//
// A uniform value in a VGPR is read from the first lane. In a fragment shader that may be a helper invocation's: exact
// mode computes the value without the helpers, and the read may come behind the switch to whole quads, as neither asks
// for a mode (SIWholeQuadMode, llvm-project #193395). So this pass has such values computed in whole quads, if the
// shader has any.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// To be added behind si-fix-sgpr-copies, which adds such reads.
class ReadInWholeQuadsPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  ReadInWholeQuadsPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Read in whole quads"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
