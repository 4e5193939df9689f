// SPDX-License-Identifier: MIT
//
// A kill leaves EXEC = 0 where it ends all lanes of a branch. A branch that LLVM takes for uniform skips nothing then:
// what stands behind is executed for no lane, so that v_cmp gives 0, a loop may never end, and a scalar load reads
// anywhere. Where lanes may go apart, LLVM puts what stands behind under a mask of lanes, and skips it if that is 0. So
// each uniform condition on which a kill depends becomes one that may differ between lanes, except where all lanes of
// the wave come by: it ends if none is left.
#pragma once

#include <llvm/Pass.h>

namespace lgc {

// To be added in front of structurizecfg.
class DivergeBeforeKillsPass final : public llvm::FunctionPass {
public:
  static char ID;

  DivergeBeforeKillsPass() : FunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Diverge before kills"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnFunction(llvm::Function &function) override;
};

} // namespace lgc
