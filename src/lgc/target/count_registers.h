// SPDX-License-Identifier: MIT
//
// How many registers the code of a function takes, told once it is final.
#pragma once

#include <llvm/CodeGen/MachineFunctionPass.h>

namespace lgc {

struct RegisterCounts {
  unsigned vgprs = 0, sgprs = 0; // one more than the highest number; VCC and the like are not counted
  uint64_t stackBytes = 0;
};

// Runs last, and writes into `counts`, which must outlive the pass.
class CountRegistersPass final : public llvm::MachineFunctionPass {
public:
  static char ID;

  explicit CountRegistersPass(RegisterCounts &counts) : MachineFunctionPass(ID), m_counts(counts) {}

  llvm::StringRef getPassName() const override { return "Count registers"; }
  void getAnalysisUsage(llvm::AnalysisUsage &usage) const override;
  bool runOnMachineFunction(llvm::MachineFunction &function) override;

private:
  RegisterCounts &m_counts;
};

} // namespace lgc
