// SPDX-License-Identifier: MIT
//
// Where a load of a byte or of 16 bits is sign-extended, LLVM replaces it by another load, for which no store waits
// (performSignExtendInRegCombine, LLVM 22). A later store to the same place may then come first. So this pass hides the
// load from the extension if a later instruction of its block may write. The load goes through an empty piece of
// assembly, and the extension costs an instruction.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Must run after all passes that combine instructions.
class OrderSignedLoadsPass : public llvm::PassInfoMixin<OrderSignedLoadsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
