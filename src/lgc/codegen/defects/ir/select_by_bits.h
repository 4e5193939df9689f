// SPDX-License-Identifier: MIT
//
// LLVM combines a comparison of floats with a selection between the floats that are compared, and forgets what is
// special about floats:
//
// - Where a constant is compared and selected, it selects the other float instead, which may be NaN if the comparison
// is
//   `one` or `ueq` (performSelectCombine, llvm-project #213029).
// - It makes a minimum or maximum, which may choose either of two zeros (visitSelect, llvm-project #93414).
//
// So this pass selects the bits of such floats, as integers, which these combinations leave alone.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

class SelectByBitsPass : public llvm::PassInfoMixin<SelectByBitsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
