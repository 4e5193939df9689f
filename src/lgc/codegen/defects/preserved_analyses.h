// SPDX-License-Identifier: MIT
//
// The analyses that a pass of ours preserves if it only adds and removes instructions.
#pragma once

#include <llvm/IR/Analysis.h>

namespace lgc {

inline llvm::PreservedAnalyses preserveControlFlow(bool hasChanged) {
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return hasChanged ? preserved : llvm::PreservedAnalyses::all();
}

} // namespace lgc
