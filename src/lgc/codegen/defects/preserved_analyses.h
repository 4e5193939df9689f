// SPDX-License-Identifier: MIT
//
// What a pass of ours preserves that puts instructions in and takes others out.
#pragma once

#include <llvm/IR/Analysis.h>

namespace lgc {

inline llvm::PreservedAnalyses preserveControlFlow(bool hasChanged) {
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return hasChanged ? preserved : llvm::PreservedAnalyses::all();
}

} // namespace lgc
