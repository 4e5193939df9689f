// SPDX-License-Identifier: MIT
//
// LLVM makes an operand undefined if nobody needs its bits. An example is the low word in a shift of two words, where
// only bits from the high word remain. The instruction then reads a VGPR that no instruction has written. No result
// depends on it, but checkImage takes such a read for a defect. So this pass makes vector instructions read another one
// of their operands there, or 0.
//
// Two other kinds become 0. One is a read of the first lane of an undefined value, which LLVM makes for a uniform phi
// that shares an undefined value with a divergent phi. The other is phis and copies that get only each other's values.
//
// Insertions of an undefined value into a tuple become copies. LLVM would make a copy of a register that no instruction
// defines. Where two copies read one such register, the register coalescer looks at its empty live range and crashes
// (LLVM 22.1.8, applyTerminalRule).
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// Must run after the pass that marks undefined operands (ProcessImplicitDefs), in SSA form.
class DefineOperandsPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  DefineOperandsPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Define operands"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
