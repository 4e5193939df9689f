// SPDX-License-Identifier: MIT
//
// A mask may clear, set or flip the sign of a selection's operand; LLVM turns it into a modifier of that operand. For a
// component of two numbers of 32 bits, LLVM extracts the component of the unmasked value for that. It is then too late
// to select instructions for the extraction, and LLVM ends with a signal (SelectVOP3ModsImpl). So this pass applies
// such masks to each component, as LLVM does later anyway.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Must run after all passes that combine instructions.
class SplitSignMasksPass : public llvm::PassInfoMixin<SplitSignMasksPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
