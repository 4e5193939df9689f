// SPDX-License-Identifier: MIT
//
// A condition that lanes hold as a mask of bits is put together bit by bit: s_andn2_b64 of the old mask, s_or_b64 of
// the new bits. If the old mask is undefined, the code reads an SGPR that no instruction has written. No lane's result
// depends on it, but checkImage and the emulator take such a read for a defect. So this pass makes undefined masks
// zero.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// Must run after si-i1-copies, in SSA form.
class DefineMasksPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  DefineMasksPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Define masks"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
