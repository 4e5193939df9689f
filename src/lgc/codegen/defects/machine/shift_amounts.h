// SPDX-License-Identifier: MIT
//
// According to LLVM (llvm-project #183839), a 64-bit shift of GFX9 may misread its amount if that is in the last VGPR
// of a wave, in front of the next block of VGPRs. So this pass makes a shader with such a shift ask for one VGPR more.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// Must run after all passes that change registers.
class ShiftAmountsPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  ShiftAmountsPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Amounts of 64-bit shifts"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
