// SPDX-License-Identifier: MIT
//
// Which of LLVM's passes generate code. LLVM puts together the passes for a target and an optimisation level; on their
// way into the pass manager, this leaves out those that are not worth their time, and sees to it that none remembers
// what it compiled before.
#pragma once

#include "src/lgc/target/count_registers.h"
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/LegacyPassManager.h>

namespace lgc {

// Takes passes and hands on those that are wanted.
class CodegenPassFilter final : public llvm::legacy::PassManagerBase {
public:
  // counts: what the code takes; must outlive the passes.
  CodegenPassFilter(llvm::legacy::PassManagerBase &passes, RegisterCounts &counts)
      : m_passes(passes), m_registerCounts(counts) {}

  // Owns the pass, as every pass manager does.
  void add(llvm::Pass *pass) override;

private:
  bool isWanted(llvm::StringRef name);

  llvm::legacy::PassManagerBase &m_passes;
  RegisterCounts &m_registerCounts;
  unsigned m_earlyCses = 0, m_deadInstructionEliminations = 0; // that have come by
};

} // namespace lgc
