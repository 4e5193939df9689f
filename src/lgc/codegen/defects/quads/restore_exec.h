// SPDX-License-Identifier: MIT
//
// Where divergent paths meet, a block begins with a restore of EXEC's lanes. Register allocation may put an SGPR copy
// in front of it. It takes that copy for the block's first instruction, and puts vector copies, spills and reloads for
// all lanes of the block there (llvm-project #117543, #225433). So this pass moves the restore of EXEC up, in front of
// the instructions that allocation has added. A restore stays if it needs an SGPR that is made behind such a vector
// instruction; the function is then compiled again without splitting the live ranges of SGPRs.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// Must run after register allocation and before the passes that expand copies and spills.
class RestoreExecPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  // Sets `*hasFailed` if a restore stays behind a vector instruction. `hasFailed` must outlive the pass.
  explicit RestoreExecPass(bool *hasFailed) : MachineFunctionPass(ID), m_hasFailed(hasFailed) {}

  llvm::StringRef getPassName() const override { return "Restore EXEC first"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;

private:
  bool *m_hasFailed;
};

} // namespace lgc
