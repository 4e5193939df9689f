// SPDX-License-Identifier: MIT
//
// Counts the registers that a function spills. LLVM counts them, too, but reports the number only for kernels. Between
// the allocation of registers and its end, a spill is a pseudo instruction that is named for what it stores
// (SI_SPILL_S64_SAVE). Later passes replace it.
#pragma once

#include "src/lgc/codegen/registers/spill_counts.h"
#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

enum class SpilledBank { Scalar, Vector };

// Must run before the pass that replaces the pseudo instructions of its bank: si-lower-sgpr-spills or prologepilog.
class CountSpillsPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  // Adds to `counts`, which must outlive the pass.
  CountSpillsPass(SpilledBank bank, SpillCounts &counts) : MachineFunctionPass(ID), m_bank(bank), m_counts(counts) {}

  llvm::StringRef getPassName() const override { return "Count spills"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;

private:
  const SpilledBank m_bank;
  SpillCounts &m_counts;
};

} // namespace lgc
