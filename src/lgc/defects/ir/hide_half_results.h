// SPDX-License-Identifier: MIT
//
// LLVM takes the high 16 bits of a VGPR for zero behind v_min3_f16, v_max3_f16 and v_med3_f16, and leaves out the mask
// where the half's bits are extended. On GFX9 these instructions write 16 bits and keep the others (ACO,
// instr_is_16bit). So this pass hides from LLVM where such a half comes from: it goes through an empty piece of
// assembly.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Behind all passes that combine instructions.
class HideHalfResultsPass : public llvm::PassInfoMixin<HideHalfResultsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
