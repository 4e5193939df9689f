// SPDX-License-Identifier: MIT
//
// For a copy of an array, LLVM would make a load and a store of each element, in a time that grows faster than their
// number. So this pass makes loops of copies of large arrays that optimisation has left, within a shader's own memory
// and from buffers into it.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

class LoopOverCopiesPass : public llvm::PassInfoMixin<LoopOverCopiesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
