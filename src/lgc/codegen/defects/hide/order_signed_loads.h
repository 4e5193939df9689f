// SPDX-License-Identifier: MIT
//
// Where a load of a byte or of 16 bits is sign-extended, LLVM makes another load of it, behind which no store waits
// (performSignExtendInRegCombine, LLVM 22): a store to the same place that follows may come first. So this pass hides
// the load from the extension, if something in its block may write behind it. It goes through an empty piece of
// assembly, and the extension costs an instruction.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Behind all passes that combine instructions.
class OrderSignedLoadsPass : public llvm::PassInfoMixin<OrderSignedLoadsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
