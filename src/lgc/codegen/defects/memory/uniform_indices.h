// SPDX-License-Identifier: MIT
//
// An array in registers that is indexed by a uniform number in a VGPR takes a loop over indices, which changes EXEC and
// restores it. Where exact mode begins between the two, the restore lets helper lanes take part in stores, atomics and
// exports (SIWholeQuadMode, LLVM 22). A uniform index can be read from the first lane, which needs no loop.
#pragma once

#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/Pass.h>

namespace lgc {

// To be added behind all that changes control flow, and that makes vectors of arrays.
class UniformIndicesPass final : public llvm::FunctionPass {
public:
  static char ID;

  UniformIndicesPass() : FunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Uniform indices"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnFunction(llvm::Function &function) override;
};

} // namespace lgc
