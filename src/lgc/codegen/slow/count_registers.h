// SPDX-License-Identifier: MIT
//
// How LLVM is to count the registers of a function.
//
// For a function without calls, AMDGPUResourceUsageAnalysis asks of register after register, from the highest down,
// whether it or one of the hundreds of tuples that it is part of is used. For a small shader that is a fifteenth of its
// compile. For a function with calls, it looks at what its instructions name instead. A shader has no calls; so it is
// said, when nothing else asks any more, to end with a tail call, which is none either to whoever looks at
// instructions.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// To be added behind prologepilog.
class CountRegistersPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  CountRegistersPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Count registers by instructions"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
