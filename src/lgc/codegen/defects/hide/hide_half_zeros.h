// SPDX-License-Identifier: MIT
//
// LLVM takes a constant -0.0 in a pair of halves for 0, on GFX9, if the other half is no constant: the patterns of
// vectors with 0 match it (SIInstructions.td). A pair of 16-bit integers that is read as halves becomes one of halves
// for it, and 0x8000 a -0.0. So this pass hides these constants, each in an SGPR.
#pragma once

#include <llvm/Pass.h>

namespace lgc {

// To be added behind all that makes vectors, of arrays in private memory for instance.
class HideHalfZerosPass final : public llvm::FunctionPass {
public:
  static char ID;

  HideHalfZerosPass() : FunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Hide half zeros"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnFunction(llvm::Function &function) override;
};

} // namespace lgc
