// SPDX-License-Identifier: MIT
//
// LLVM makes branches of lanes structured, and merges what comes from many blocks, in a time that grows with the square
// or cube of the number of blocks. Switches that are far larger than usual are made easier for it; others are left
// alone.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Three kinds of large switches:
//   - cases that fall through from one to the next, many in a row: they become a row of conditions, `if (selector ==
//     first) …; if (selector == second) …`, where falling through sets the selector to the next case;
//   - more than a thousand cases: what they begin with alike is done in front of the switch, and neighbours that only
//     compute a little share a block, which computes what all of them do and chooses;
//   - cases of which more than a thousand still meet in one block: what they bring there goes through memory.
class DivideSwitchesPass : public llvm::PassInfoMixin<DivideSwitchesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
