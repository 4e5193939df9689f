// SPDX-License-Identifier: MIT
//
// Where divergent ways meet, a block begins by giving EXEC its lanes back. Register allocation takes an SGPR copy in
// front of that for the block's first instruction, and puts vector copies, spills and reloads there that are for all
// lanes of the block (llvm-project #117543, #225433). So this pass moves the restore of EXEC up, in front of what
// allocation has added. A restore that needs an SGPR behind such a vector instruction stays; the function is then to be
// compiled again without splitting the live ranges of SGPRs.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// To be added behind register allocation, in front of what expands copies and spills.
class RestoreExecPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  // Sets `*hasFailed` if a restore stays behind a vector instruction. It must outlive the pass.
  explicit RestoreExecPass(bool *hasFailed) : MachineFunctionPass(ID), m_hasFailed(hasFailed) {}

  llvm::StringRef getPassName() const override { return "Restore EXEC first"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;

private:
  bool *m_hasFailed;
};

} // namespace lgc
