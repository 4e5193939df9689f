// SPDX-License-Identifier: MIT
//
// Instruction selection stores one element only where a vector is loaded, gets an element, and is stored in its place
// again. If the index is not constant, it claims the vector's alignment for the element (replaceStoreOfInsertLoad,
// LLVM #215530), from which alias analysis concludes that the element is the vector's first. So such a store of a
// vector is said to be aligned to the element alone.
#pragma once

#include <llvm/Pass.h>

namespace lgc {

// To be added behind all that makes vectors of arrays.
class AlignElementStoresPass final : public llvm::FunctionPass {
public:
  static char ID;

  AlignElementStoresPass() : FunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Alignment of stores of elements"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override { usage.setPreservesAll(); }
  bool runOnFunction(llvm::Function &function) override;
};

} // namespace lgc
