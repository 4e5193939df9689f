// SPDX-License-Identifier: MIT
//
// Where LLVM finds at selection that an unsigned bit field begins at bit 0 and how wide it is, it takes the value
// itself for the field if the value is sign-extended, with ones above the field, too (performBFECombine, LLVM 22).
// Where IR is combined, fields that are constants become shifts before. So this pass hides the width of all others, or
// where they begin: it goes through an empty piece of assembly.
//
// Of a constant, a signed field up to bit 31 is found with more than 32 bits if it is negative (constantFoldBFE), and
// what is made of it is wrong. Such fields become shifts, and those that may become such at selection are hidden.
#pragma once

#include <llvm/IR/PassManager.h>

namespace lgc {

// Behind all passes that combine instructions.
class HideFieldWidthsPass : public llvm::PassInfoMixin<HideFieldWidthsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace lgc
