// SPDX-License-Identifier: MIT
//
// `if (c) discard;` arrives as a block of its own that ends its lanes and branches to the exit. Each such block costs a
// branch and masks of lanes that are saved and restored. A hundred of them are a hundred paths to the exit, for which
// LLVM's uniformity analysis, its structuring of control flow and its live ranges take quadratic time. So this pass
// makes the block in front end the lanes itself, by its condition, and go straight on.
//
// It does so only where all lanes of the wave pass that have not ended before. Elsewhere, LLVM holds masks of lanes for
// the end of a branch or of a loop. A lane that ends between the making of a mask and its use would be alive again
// behind it, and code until then would run with EXEC = 0. There, discards stay branches to the exit.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

class ConditionalKillsPass : public llvm::PassInfoMixin<ConditionalKillsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
