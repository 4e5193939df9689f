// SPDX-License-Identifier: MIT
//
// A value that several blocks use is copied in each of them when instructions are selected. LLVM's SIFoldOperands puts
// the value in place of each use of such a copy, and each time goes through all uses of the value. Here, copies are
// merged with the value at once. Only large functions, in which that counts, are looked at.
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
