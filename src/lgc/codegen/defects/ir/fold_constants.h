// SPDX-License-Identifier: MIT
//
// AMDGPUCodeGenPrepare folds operations into selections of two constants, through an extension, and crashes where the
// extension of one of them cannot be folded (foldBinOpIntoSelect): of a constant expression, as front ends make it of
// bits of a vector. In the initialiser of a variable, such an expression is an error (lowerConstant of AsmPrinter does
// not look behind a bit cast). So this pass folds all constant expressions that a data layout is enough for.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Behind all passes that may make constant expressions.
class FoldConstantsPass : public llvm::PassInfoMixin<FoldConstantsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace lgc
