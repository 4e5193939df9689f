// SPDX-License-Identifier: MIT
//
// LLVM makes the sign of an operand of a selection, cleared, set or turned by a mask, a modifier of that operand. For a
// component of two numbers of 32 bits, it makes an extraction of what is in front of the mask for that, too late to
// select instructions for it, and ends with a signal (SelectVOP3ModsImpl). So this pass applies such masks to each
// component, which is what becomes of them anyway.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Behind all passes that combine instructions.
class SplitSignMasksPass : public llvm::PassInfoMixin<SplitSignMasksPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
