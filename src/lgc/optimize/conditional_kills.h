// SPDX-License-Identifier: MIT
//
// `if (c) discard;` comes as a block of its own that ends its lanes and branches to the exit. Each costs a branch and
// masks of lanes that are saved and restored, and a hundred of them are a hundred ways to the exit, which LLVM's
// uniformity analysis, its structuring of control flow and its live ranges take quadratic time for. So the block in
// front ends the lanes itself, by its condition, and goes straight on.
//
// It does so only where all lanes of the wave come by that have not ended before. Anywhere else, LLVM holds masks of
// lanes for the end of a branch or of a loop, and a lane that ends between the making of a mask and its use is alive
// again behind it; code until then runs with EXEC = 0. There, discards stay branches to the exit.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

class ConditionalKillsPass : public llvm::PassInfoMixin<ConditionalKillsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
