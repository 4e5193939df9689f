// SPDX-License-Identifier: MIT
//
// Constant arrays lie behind the code, and what lies behind them may be no memory at all: an index beyond the end would
// be a page fault, which ends the application. Vulkan leaves such an index undefined, robust buffer access or not, but
// translators of Direct3D's bytecode count on a draw that goes on, and other drivers read through a buffer with bounds.
// So an index that may be too large becomes the last one.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Behind all that moves loads, which could not be bounded where they are any more.
class BoundTablesPass : public llvm::PassInfoMixin<BoundTablesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
