// SPDX-License-Identifier: MIT
//
// LLVM makes two mistakes with halves where it sees how they were made. So this pass hides that from LLVM: the half
// goes through an empty piece of assembly, which costs no instruction.
//
// - LLVM takes the high 16 bits of a VGPR for zero after v_min3_f16, v_max3_f16 and v_med3_f16, and leaves out the mask
//   where the half's bits are extended. On GFX9 these instructions write 16 bits and keep the others (ACO,
//   instr_is_16bit).
// - LLVM makes v_mad_mix_f32 of a product of halves that is extended and added to a float, even where the product may
//   not be contracted. The product is then not rounded to a half (visitFADDForFMACombine, which takes v_mad for exact).
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Must run after all passes that combine instructions.
class HideHalfResultsPass : public llvm::PassInfoMixin<HideHalfResultsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
