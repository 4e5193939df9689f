// SPDX-License-Identifier: MIT
//
// LLVM selects s_xnor_b64 for ~(a ^ b) of uniform 64-bit values. If one of them is in VGPRs after all, it makes an
// s_not_b64 of unrelated SGPRs (splitScalar64BitXnor). So this pass makes two inversions of 32 bits of each of 64.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

class SplitWideNotsPass : public llvm::PassInfoMixin<SplitWideNotsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
