// SPDX-License-Identifier: MIT
//
// A loop over the values of a VGPR, as over the descriptors of different lanes, begins with all lanes, ends with none,
// and gives them back: EXEC is saved in front of it and restored behind it. SIWholeQuadMode (LLVM 22) takes neither for
// a part of the mode. It switches between exact mode and whole quads behind the save, and in front of the restore. The
// restore then brings the other mode back: helper invocations store, or whole quads lack them.
//
// The lanes that a branch saves at the end of a block are restored where its ways meet. There, LLVM looks for a place
// to switch behind what ends another branch, and finds one between the save and the branch.
//
// So this pass puts the save behind the last switch, and a loop's restore in front of the first.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// To be added behind SIWholeQuadMode.
class SaveLanesLatePass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  SaveLanesLatePass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Save lanes late"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
