// SPDX-License-Identifier: MIT
//
// Samples with implicit derivatives must stay where the shader has them: their derivatives would be undefined in a
// branch that only some lanes of a quad take. So their calls are convergent. LLVM's instruction combining loses this
// mark when it makes a call again with fewer components or halves (simplifyAMDGCNImageIntrinsic()), and then sinks the
// call into a branch. So the builder freezes their results, which hides their uses from LLVM. This pass runs after all
// others, removes the freezes, and trims the calls itself.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

class TrimSamplesPass : public llvm::PassInfoMixin<TrimSamplesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
