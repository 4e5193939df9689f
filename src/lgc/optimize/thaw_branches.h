// SPDX-License-Identifier: MIT
//
// A branch on an undefined value is undefined behaviour in LLVM, but not in SPIR-V; so the front end freezes the
// conditions of branches. But few of LLVM's passes see through a freeze: they no longer recognise loops, ranges and
// comparisons. This pass removes the freezes of values that are never undefined, which are nearly all. It runs as soon
// as variables are in registers and before any pass draws conclusions from branches.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

class ThawBranchesPass : public llvm::PassInfoMixin<ThawBranchesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
