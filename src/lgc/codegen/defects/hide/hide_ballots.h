// SPDX-License-Identifier: MIT
//
// A branch on whether a ballot is 0 becomes one on the condition itself. Where the condition is the comparison of an
// extended one with 0, so its opposite, LLVM takes "the opposite holds for no lane" for "it holds for some lane"
// (combineBallotPattern of AMDGPUISelDAGToDAG). So this pass hides ballots that are compared, which costs
// a scalar comparison.
#pragma once

#include <llvm/Pass.h>

namespace lgc {

// To be added in front of instruction selection.
class HideBallotsPass final : public llvm::FunctionPass {
public:
  static char ID;

  HideBallotsPass() : FunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Hide ballots"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnFunction(llvm::Function &function) override;
};

} // namespace lgc
