// SPDX-License-Identifier: MIT
//
// Copies of large arrays within a shader's own memory that optimisation has left become loops. LLVM would make a load
// and a store of each element.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

class LoopOverCopiesPass : public llvm::PassInfoMixin<LoopOverCopiesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
