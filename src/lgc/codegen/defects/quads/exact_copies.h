// SPDX-License-Identifier: MIT
//
// Parts of a fragment shader run in exact mode: without helper invocations. Register allocation does not know of modes.
// It puts copies, spills and constants that it makes again into exact mode, also of values that whole quads read behind
// it. Helper invocations then find what the register held before: another word, or an address where there is no memory.
// So this pass looks for values that are made so in exact mode and read in whole quads. Many of them do no harm, as
// their readers do not care for helpers. A function that has one is to be compiled again without splitting live ranges,
// which puts spills and constants next to where they are used.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// To be added behind register allocation, in front of what optimises the instructions that change EXEC.
class ExactCopiesPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  // Sets `*isFound` if a value is made in exact mode and read in whole quads. It must outlive the pass.
  explicit ExactCopiesPass(bool *isFound) : MachineFunctionPass(ID), m_isFound(isFound) {}

  llvm::StringRef getPassName() const override { return "Copies in exact mode"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;

private:
  bool *m_isFound;
};

} // namespace lgc
