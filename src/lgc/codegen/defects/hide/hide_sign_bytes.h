// SPDX-License-Identifier: MIT
//
// LLVM makes one v_perm_b32 of an `or`, or of a sum without carries, that puts bytes together. It takes the bytes that
// an arithmetic shift fills with the sign for zeros, or for other bytes (matchPERM, llvm-project #198708). So this pass
// hides such shifts from it: their result goes through an empty piece of assembly, which costs no instruction.
#pragma once

#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/Pass.h>

namespace lgc {

// To be added in front of instruction selection.
class HideSignBytesPass final : public llvm::FunctionPass {
public:
  static char ID;

  HideSignBytesPass() : FunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Hide sign bytes"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnFunction(llvm::Function &function) override;
};

} // namespace lgc
