// SPDX-License-Identifier: MIT
//
// AMDGPUCodeGenPrepare folds operations into selections of two constants, through an extension. It crashes where the
// extension of one constant cannot be folded (foldBinOpIntoSelect), as with a constant expression that a front end
// makes of bits of a vector. In the initialiser of a variable, LLVM refuses such an expression (lowerConstant of
// AsmPrinter does not look through a bit cast). So this pass folds all constant expressions for which a data layout is
// enough.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Must run after all passes that may make constant expressions.
class FoldConstantsPass : public llvm::PassInfoMixin<FoldConstantsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace lgc
