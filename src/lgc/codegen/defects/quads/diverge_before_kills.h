// SPDX-License-Identifier: MIT
//
// A kill leaves EXEC = 0 where it ends all lanes of a branch. A branch that LLVM takes for uniform skips nothing then,
// so the code behind runs for no lane: v_cmp gives 0, a loop may never end, and a scalar load reads anywhere. Where
// lanes may diverge, LLVM puts the code behind under a mask of lanes, and skips it if the mask is 0. So this pass makes
// each uniform condition on which a kill depends one that may differ between lanes. Blocks that all lanes of the wave
// pass at once are exempt: the wave ends there if no lane is left.
#pragma once

#include <llvm/Pass.h>

namespace lgc {

// Must run before structurizecfg.
class DivergeBeforeKillsPass final : public llvm::FunctionPass {
public:
  static char ID;

  DivergeBeforeKillsPass() : FunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Diverge before kills"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnFunction(llvm::Function &function) override;
};

} // namespace lgc
