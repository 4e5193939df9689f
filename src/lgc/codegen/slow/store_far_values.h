// SPDX-License-Identifier: MIT
//
// Calls that are inlined into each other, ifs in ifs: each level has values that wait for the end of all that is
// inside. Once far more of them wait than there are VGPRs, LLVM's register allocator, which looks for a place for each
// one, and splits it where there is none, takes a time that grows with more than the square of the depth, and stores
// most of them in the end. So those that wait longest are stored where they are computed and loaded where they are
// used, before instructions are selected; what is left fits.
#pragma once

#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/Pass.h>

namespace llvm {
class Function;
}

namespace lgc {

// Returns whether there were so many values. Nothing behind it may make registers of the memory that they are in.
bool storeFarValues(llvm::Function &function, const llvm::CycleInfo &cycles, const llvm::UniformityInfo &uniformity);

// To be added behind all that changes control flow or promotes memory, and in front of what marks the ends of divergent
// control flow: there, lanes that meet are on before values are loaded.
class StoreFarValuesPass final : public llvm::FunctionPass {
public:
  static char ID;

  StoreFarValuesPass() : FunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Store far values"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnFunction(llvm::Function &function) override;
};

} // namespace lgc
