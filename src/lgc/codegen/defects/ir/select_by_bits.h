// SPDX-License-Identifier: MIT
//
// LLVM combines a comparison of floats with a selection between the compared floats, and ignores NaN and the signs of
// zeros:
//
// - Where a constant is compared and selected, LLVM selects the other float instead of the constant. That float may be
//   NaN if the comparison is `one` or `ueq` (performSelectCombine, llvm-project #213029).
// - LLVM makes a minimum or maximum, which may choose either of two zeros (visitSelect, llvm-project #93414).
//
// So this pass selects the bits of such floats as integers. LLVM does not combine these.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

class SelectByBitsPass : public llvm::PassInfoMixin<SelectByBitsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
