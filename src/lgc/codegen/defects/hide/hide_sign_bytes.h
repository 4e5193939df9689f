// SPDX-License-Identifier: MIT
//
// LLVM makes one v_perm_b32 of an `or`, or of a sum without carries, that puts bytes together. Bytes that an arithmetic
// shift fills with the sign count as zeros, or as other bytes (matchPERM, llvm-project #198708). So this pass hides
// such shifts from LLVM: their result goes through an empty piece of assembly, which costs no instruction.
#pragma once

#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/Pass.h>

namespace lgc {

// Must run before instruction selection.
class HideSignBytesPass final : public llvm::FunctionPass {
public:
  static char ID;

  HideSignBytesPass() : FunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Hide sign bytes"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnFunction(llvm::Function &function) override;
};

} // namespace lgc
