// SPDX-License-Identifier: MIT
//
// Tells LLVM how to count the registers of a function.
//
// For a function without calls, AMDGPUResourceUsageAnalysis asks for register after register, from the highest down,
// whether it or one of the hundreds of tuples that contain it is used. For a small shader that takes a fifteenth of its
// compile time. For a function with calls, it looks only at the registers that instructions name. A shader has no
// calls, so this pass, one of the last, marks it as ending in a tail call. No later pass looks for that call, and no
// instruction is one.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// Must run after prologepilog.
class CountRegistersPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  CountRegistersPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Count registers by instructions"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
