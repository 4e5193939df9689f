// SPDX-License-Identifier: MIT
//
// Consecutive memory instructions are a clause, which a GPU that may replay memory (XNACK) repeats. LLVM ends a clause
// in front of a store or of an overwritten operand by an s_nop, but it looks at one block, and overlooks some stores
// (checkSoftClauseHazards). So this pass ends each clause where a block begins, and between a load and a store.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

// To be added behind all that moves blocks and instructions.
class BreakClausesPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  BreakClausesPass() : MachineFunctionPass(ID) {}

  llvm::StringRef getPassName() const override { return "Break clauses between blocks"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;
};

} // namespace lgc
