// SPDX-License-Identifier: MIT
//
// Where a vector is loaded, gets an element, and is stored in its place again, instruction selection stores only the
// element. If the index is not constant, LLVM claims the vector's alignment for the element (replaceStoreOfInsertLoad,
// LLVM #215530). Alias analysis concludes that the element is the vector's first. So this pass marks such a store of a
// vector as aligned to the element only.
#pragma once

#include <llvm/Pass.h>

namespace lgc {

// Must run after all passes that make vectors of arrays.
class AlignElementStoresPass final : public llvm::FunctionPass {
public:
  static char ID;

  AlignElementStoresPass() : FunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Alignment of stores of elements"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override { usage.setPreservesAll(); }
  bool runOnFunction(llvm::Function &function) override;
};

} // namespace lgc
