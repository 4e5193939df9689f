// SPDX-License-Identifier: MIT
//
// During selection, LLVM may find that an unsigned bit field begins at bit 0 and how wide it is. If the value is
// sign-extended, LLVM then takes the value itself for the field, with ones above the field, too (performBFECombine,
// LLVM 22). Fields that are constant in IR become shifts before. So this pass hides the width or the offset of all
// others: it goes through an empty piece of assembly.
//
// LLVM computes a constant signed field up to bit 31 with more than 32 bits if it is negative (constantFoldBFE), and
// results that use it are wrong. Such fields become shifts. Fields that may become such during selection are hidden.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Must run after all passes that combine instructions.
class HideFieldWidthsPass : public llvm::PassInfoMixin<HideFieldWidthsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
