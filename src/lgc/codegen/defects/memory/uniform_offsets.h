// SPDX-License-Identifier: MIT
//
// Accesses to buffers have an offset that must be in an SGPR. It is always uniform here (where a ring or a patch lies),
// but LLVM may not see that: an offset that is computed in a loop and used behind it, too, comes out of it through phis
// where lanes meet that left the loop on different ways. LLVM 22.1.8 then selects an instruction with the offset in a
// VGPR, which the hardware does not have.
#pragma once

#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/Pass.h>

namespace lgc {

// Has offsets read from the first lane where the analysis takes them for divergent. Returns whether there were any.
bool readUniformOffsets(llvm::Function &function, const llvm::UniformityInfo &uniformity);

// To be added behind all that changes control flow.
class UniformOffsetsPass final : public llvm::FunctionPass {
public:
  static char ID;

  UniformOffsetsPass() : FunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Uniform offsets"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnFunction(llvm::Function &function) override;
};

} // namespace lgc
