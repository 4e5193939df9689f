// SPDX-License-Identifier: MIT
//
// StructurizeCFG moves a value that costs nothing out of a phi's incoming block. Where three or more paths meet, it
// then takes the value for the phi's value on other paths, too: `(a || b) ? x[0] : 0` is 0 in lanes for which b holds
// (llvm-project #183792). So this pass moves all such values up before StructurizeCFG can.
#pragma once

#include <llvm/Pass.h>

namespace lgc {

// Must run before structurizecfg.
class HoistFreeValuesPass final : public llvm::FunctionPass {
public:
  static char ID;

  HoistFreeValuesPass() : FunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Hoist free values"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnFunction(llvm::Function &function) override;
};

} // namespace lgc
