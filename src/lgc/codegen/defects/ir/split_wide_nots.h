// SPDX-License-Identifier: MIT
//
// LLVM selects s_xnor_b64 for ~(a ^ b) of uniform 64-bit values. If one of them turns out to be in VGPRs, LLVM makes an
// s_not_b64 of unrelated SGPRs (splitScalar64BitXnor). So this pass replaces each inversion of 64 bits by two of 32
// bits.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

class SplitWideNotsPass : public llvm::PassInfoMixin<SplitWideNotsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
