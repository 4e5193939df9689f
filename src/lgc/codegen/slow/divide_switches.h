// SPDX-License-Identifier: MIT
//
// LLVM structures divergent branches, and brings together values from many blocks, in a time that grows with the square
// or cube of the number of blocks. This pass changes switches that are far larger than usual, so that LLVM takes less
// time. It leaves others alone.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Three kinds of large switches:
// - Many cases in a row that fall through to the next one. They become a row of conditions, `if (selector == first) …;
//   if (selector == second) …`. Falling through sets the selector to the next case.
// - More than a thousand cases. Computations with which they all begin move in front of the switch. Neighbours that
//   only compute a little share a block, which computes the values of all of them and chooses.
// - Cases of which more than a thousand still meet in one block. Their values for that block go through memory.
class DivideSwitchesPass : public llvm::PassInfoMixin<DivideSwitchesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
