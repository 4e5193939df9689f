// SPDX-License-Identifier: MIT
//
// LLVM turns a branch on whether a ballot is 0 into a branch on the condition itself (combineBallotPattern of
// AMDGPUISelDAGToDAG). The condition may compare an extended condition with 0, so that it is the opposite of that one.
// LLVM then takes "the opposite holds for no lane" for "it holds for some lane". So this pass hides ballots that are
// compared, which costs a scalar comparison.
#pragma once

#include <llvm/Pass.h>

namespace lgc {

// Must run before instruction selection.
class HideBallotsPass final : public llvm::FunctionPass {
public:
  static char ID;

  HideBallotsPass() : FunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Hide ballots"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnFunction(llvm::Function &function) override;
};

} // namespace lgc
