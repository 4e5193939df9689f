// SPDX-License-Identifier: MIT
//
// LLVM takes 0 - x for -x where an instruction can negate its operand for free (SelectVOP3ModsImpl). But 0 - 0 is 0,
// and -(0) is -0. So this pass hides such differences from LLVM where the signs of zeros count.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Must run after all passes that combine instructions.
class HideZeroDifferencesPass : public llvm::PassInfoMixin<HideZeroDifferencesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
