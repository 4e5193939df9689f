// SPDX-License-Identifier: MIT
//
// Instruction selection copies a value in each block that uses it. LLVM's SIFoldOperands puts the value in place of
// each use of such a copy, and goes through all uses of the value each time. This pass replaces all copies by their
// value at once. It looks only at large functions, in which that counts.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

class MergeCopiesPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  MergeCopiesPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Merge copies of values"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
