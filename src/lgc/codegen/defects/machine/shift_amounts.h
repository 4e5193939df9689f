// SPDX-License-Identifier: MIT
//
// By LLVM (llvm-project #183839), a 64-bit shift of GFX9 may read its amount wrongly from the last VGPR that a wave
// has, where the next block of VGPRs would begin. So this pass has a shader with such a shift ask for one VGPR more.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// To be added behind all that changes registers.
class ShiftAmountsPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  ShiftAmountsPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Amounts of 64-bit shifts"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
