// SPDX-License-Identifier: MIT
//
// LLVM counts wait states backwards from an instruction, and visits each block in front of it once
// (GCNHazardRecognizer, getWaitStatesSince). If two paths of different lengths lead from a block to the instruction,
// LLVM takes the first one, which may be the longer. It then misses wait states that the other path lacks. So this pass
// counts once more, on the shortest path to each block, and adds the missing wait states. Its rules are LLVM's rules
// for GFX8 and GFX9 that need more than one wait state. For a rule of one wait state, a path that is too short leads
// through no other block.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// Must run after the hazard recogniser.
class WaitOnAllWaysPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  WaitOnAllWaysPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Wait on all ways"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
