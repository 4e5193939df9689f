// SPDX-License-Identifier: MIT
//
// A branch on an undefined value is undefined behaviour in LLVM, not in SPIR-V; so the front end freezes what branches
// depend on. But few of LLVM's passes see through a freeze: loops, ranges and comparisons are no longer recognised.
// This pass, which comes as soon as variables are in registers and before anything draws conclusions from branches,
// removes the freezes of values that are never undefined, which is nearly all of them.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

class ThawBranchesPass : public llvm::PassInfoMixin<ThawBranchesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
