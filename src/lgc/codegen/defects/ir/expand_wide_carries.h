// SPDX-License-Identifier: MIT
//
// LLVM adds numbers of 64 bits as two halves with a carry between them. If the high half of one is a sum and that of
// the other is 0, it adds the three numbers at once, and the carry that comes out is then another one
// (performAddCarrySubCarryCombine). Saturation and overflow ask for that carry. So this pass compares instead.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Behind all passes that combine instructions.
class ExpandWideCarriesPass : public llvm::PassInfoMixin<ExpandWideCarriesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
