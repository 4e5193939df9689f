// SPDX-License-Identifier: MIT
//
// If the index of an array in registers is uniform but in a VGPR, LLVM makes a loop over indices, which changes EXEC
// and restores it. If exact mode begins between the two, the restore lets helper lanes take part in stores, atomics and
// exports (SIWholeQuadMode, LLVM 22). So this pass reads a uniform index from the first lane, which needs no loop.
#pragma once

#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/Pass.h>

namespace lgc {

// Must run after all passes that change control flow or make vectors of arrays.
class UniformIndicesPass final : public llvm::FunctionPass {
public:
  static char ID;

  UniformIndicesPass() : FunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Uniform indices"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnFunction(llvm::Function &function) override;
};

} // namespace lgc
