// SPDX-License-Identifier: MIT
//
// On GFX9, LLVM takes a constant -0.0 in a pair of halves for 0 if the other half is no constant: it matches the
// patterns of vectors with 0 (SIInstructions.td). LLVM also turns a pair of 16-bit integers that is read as halves into
// a pair of halves, and 0x8000 into -0.0. So this pass hides these constants, each in an SGPR.
#pragma once

#include <llvm/Pass.h>

namespace lgc {

// Must run after all passes that make vectors, for example of arrays in private memory.
class HideHalfZerosPass final : public llvm::FunctionPass {
public:
  static char ID;

  HideHalfZerosPass() : FunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Hide half zeros"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnFunction(llvm::Function &function) override;
};

} // namespace lgc
