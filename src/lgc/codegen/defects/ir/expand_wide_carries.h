// SPDX-License-Identifier: MIT
//
// LLVM adds numbers of 64 bits as two halves with a carry between them. If the high half of one number is a sum and
// that of the other is 0, LLVM adds the three numbers at once; the carry out is then wrong
// (performAddCarrySubCarryCombine). Saturation and overflow need that carry. So this pass makes comparisons instead.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Must run after all passes that combine instructions.
class ExpandWideCarriesPass : public llvm::PassInfoMixin<ExpandWideCarriesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
