// SPDX-License-Identifier: MIT
//
// LLVM drops the masks of a 64-bit product of 24-bit numbers. It then selects v_mad_u64_u32 for the product and a sum,
// which multiplies all 32 bits (llvm-project #198729). So this pass makes two halves of each such product; the hardware
// has 24-bit multiplications for them.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

class SplitWideProductsPass : public llvm::PassInfoMixin<SplitWideProductsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
