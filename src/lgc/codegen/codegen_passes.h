// SPDX-License-Identifier: MIT
//
// Which of LLVM's passes generate code. LLVM puts together the passes for a target and an optimisation level; on their
// way into the pass manager, this leaves out those that are not worth their time or make wrong code, puts passes of
// ours between them, and sees to it that none remembers what it compiled before.
#pragma once

#include "src/lgc/codegen/registers/spill_counts.h"
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/LegacyPassManager.h>

namespace lgc {

// What is known of the code that passes have made.
struct CodegenOutcome {
  bool restoresExecLate = false; // restore_exec.h
  bool mayLackHelpers = false;   // exact_copies.h
  SpillCounts spills;            // count_spills.h

  // Whether it has to be made again, carefully.
  bool isDoubtful() const { return restoresExecLate || mayLackHelpers; }
};

// Takes passes and hands on those that are wanted.
class CodegenPassFilter final : public llvm::legacy::PassManagerBase {
public:
  // `isCareful`: live ranges are not split. The outcome must outlive the passes.
  CodegenPassFilter(llvm::legacy::PassManagerBase &passes, bool isCareful, CodegenOutcome &outcome)
      : m_passes(passes), m_isCareful(isCareful), m_outcome(outcome) {}

  // Owns the pass, as every pass manager does.
  void add(llvm::Pass *pass) override;

private:
  bool isWanted(llvm::StringRef name);

  llvm::legacy::PassManagerBase &m_passes;
  const bool m_isCareful;
  CodegenOutcome &m_outcome;
  unsigned m_earlyCses = 0, m_deadInstructionEliminations = 0, m_allocators = 0; // that have come by
};

} // namespace lgc
