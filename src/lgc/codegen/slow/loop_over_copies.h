// SPDX-License-Identifier: MIT
//
// Copies of large arrays within a shader's own memory, and from buffers into it, that optimisation has left become
// loops. LLVM would make a load and a store of each element, and takes a time for them that grows faster than their
// number.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

class LoopOverCopiesPass : public llvm::PassInfoMixin<LoopOverCopiesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
