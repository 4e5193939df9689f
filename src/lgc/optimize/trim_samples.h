// SPDX-License-Identifier: MIT
//
// Samples with implicit derivatives must stay where the shader has them: in a branch that only some lanes of a quad
// take, their derivatives would be undefined. Their calls are therefore convergent. LLVM's instruction combining loses
// this when it makes a call again that returns fewer components or halves (simplifyAMDGCNImageIntrinsic()), and then
// sinks it into a branch. So the builder freezes their results, which hides from LLVM what becomes of them, and this
// pass, behind all others, removes the freezes and does itself what LLVM would have done.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

class TrimSamplesPass : public llvm::PassInfoMixin<TrimSamplesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
