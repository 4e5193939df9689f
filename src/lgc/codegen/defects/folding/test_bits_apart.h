// SPDX-License-Identifier: MIT
//
// LLVM makes s_bitcmp0_b32 or s_bitcmp1_b32 of an s_and_b32 with one bit and a comparison of its result. Two
// comparisons may follow one s_and_b32, and the second may ask for the opposite. Instructions between the two that read
// SCC then get the opposite, too (SIInstrInfo::optimizeCompareInstr, LLVM 22). So this pass gives each comparison an
// s_and_b32 of its own.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// Must run before PeepholeOptimizer.
class TestBitsApartPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  TestBitsApartPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Test bits apart"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
