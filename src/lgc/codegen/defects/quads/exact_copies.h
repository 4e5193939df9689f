// SPDX-License-Identifier: MIT
//
// Parts of a fragment shader run in exact mode, that is without helper invocations. Register allocation does not know
// about modes. It puts copies, spills and rematerialised constants into exact mode even if whole quads read the values
// later. Helper invocations then find the register's old content: another word, or an address where there is no memory.
// So this pass looks for values that are made so in exact mode and read in whole quads. Many of them are harmless,
// because their readers ignore helpers. A function that has one is compiled again without splitting live ranges, which
// puts spills and constants next to their uses.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// Must run after register allocation and before the passes that optimise the instructions that change EXEC.
class ExactCopiesPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  // Sets `*isFound` if a value is made in exact mode and read in whole quads. `isFound` must outlive the pass.
  explicit ExactCopiesPass(bool *isFound) : MachineFunctionPass(ID), m_isFound(isFound) {}

  llvm::StringRef getPassName() const override { return "Copies in exact mode"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;

private:
  bool *m_isFound;
};

} // namespace lgc
