// SPDX-License-Identifier: MIT
//
// StructurizeCFG moves a value that costs nothing out of the block of a phi's way, and then takes it for the phi's
// value on other ways, too, where three and more ways meet: `(a || b) ? x[0] : 0` is 0 in lanes for which b holds
// (llvm-project #183792). So this pass moves such values up in front of it, which leaves it none.
#pragma once

#include <llvm/Pass.h>

namespace lgc {

// To be added in front of structurizecfg.
class HoistFreeValuesPass final : public llvm::FunctionPass {
public:
  static char ID;

  HoistFreeValuesPass() : FunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Hoist free values"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnFunction(llvm::Function &function) override;
};

} // namespace lgc
