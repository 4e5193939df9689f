// SPDX-License-Identifier: MIT
//
// LLVM takes 0 - x for -x where an instruction can negate its operand for nothing (SelectVOP3ModsImpl), although 0 - 0
// is 0 and -0 is not. So this pass hides from LLVM that such a difference is one, where signs of zeros count.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Behind all passes that combine instructions.
class HideZeroDifferencesPass : public llvm::PassInfoMixin<HideZeroDifferencesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
