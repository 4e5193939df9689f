// SPDX-License-Identifier: MIT
//
// A loop over the values of a VGPR, such as the descriptors of different lanes, begins with all lanes and ends with
// none. So the code saves EXEC in front of the loop and restores it behind. SIWholeQuadMode (LLVM 22) does not count
// the save and the restore as part of the mode. It switches between exact mode and whole quads behind the save, and in
// front of the restore. The restore then brings the other mode back: helper invocations store, or whole quads lack
// them.
//
// A branch saves its lanes at the end of a block; they are restored where its paths meet. LLVM looks there for a place
// to switch behind the end of another branch, and finds one between the save and the branch.
//
// So this pass puts the save behind the last switch, and a loop's restore in front of the first.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// Must run after SIWholeQuadMode.
class SaveLanesLatePass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  SaveLanesLatePass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Save lanes late"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
