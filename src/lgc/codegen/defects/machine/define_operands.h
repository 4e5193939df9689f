// SPDX-License-Identifier: MIT
//
// Of an operand whose bits nobody asks for, LLVM makes an undefined one: the low word of a shift of two words, for
// instance, of which the bits that come from the high word are masked out. The instruction then reads a VGPR that
// nobody has written. No result depends on it, but checkImage takes such a read for a defect. So this pass has vector
// instructions read another of their operands there, or 0. Nor is a VGPR read for the first lane of nothing, as LLVM
// makes it for a uniform phi that shares an undefined value with a divergent one. Phis and copies that get nothing
// but each other's values are 0.
//
// Nothing is put into a tuple, either: it would become a copy of a register that nothing defines, and where two copies
// read one, the register coalescer looks at its empty live range and crashes (LLVM 22.1.8, applyTerminalRule).
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// To be added behind the pass that marks undefined operands (ProcessImplicitDefs), in SSA form.
class DefineOperandsPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  DefineOperandsPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Define operands"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
