// SPDX-License-Identifier: MIT
//
// LLVM counts wait states backwards from an instruction, and looks at each block in front once (GCNHazardRecognizer,
// getWaitStatesSince). A block from which two ways of different lengths lead there is looked at on the first one, which
// may be the longer: then what the other way lacks is not seen. So this pass counts once more, on the shortest way to
// each block, and adds what is missing. Its rules are those of LLVM's for GFX8 and GFX9 that want more than one wait
// state; a way that is too short for a rule of one leads through no other block.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// To be added behind the hazard recogniser.
class WaitOnAllWaysPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  WaitOnAllWaysPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Wait on all ways"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
