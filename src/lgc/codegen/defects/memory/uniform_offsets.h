// SPDX-License-Identifier: MIT
//
// Accesses to buffers have an offset that must be in an SGPR. It is always uniform here (where a ring or a patch lies),
// but LLVM may not see that. An offset that is computed in a loop and also used behind it comes out of the loop through
// phis, where lanes meet that left the loop on different paths. LLVM 22.1.8 then selects an instruction with the offset
// in a VGPR, which the hardware does not have. So this pass reads such an offset from the first lane.
#pragma once

#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/Pass.h>

namespace lgc {

// Makes code read an offset from the first lane if the analysis takes it for divergent. Returns whether there were any.
bool readUniformOffsets(llvm::Function &function, const llvm::UniformityInfo &uniformity);

// Must run after all passes that change control flow.
class UniformOffsetsPass final : public llvm::FunctionPass {
public:
  static char ID;

  UniformOffsetsPass() : FunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Uniform offsets"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnFunction(llvm::Function &function) override;
};

} // namespace lgc
