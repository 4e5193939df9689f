// SPDX-License-Identifier: MIT
//
// LLVM puts together the code generation passes for a target and an optimisation level. On their way into the pass
// manager, this leaves out passes that are not worth their time or make wrong code, puts passes of ours between them,
// and makes sure that no pass remembers an earlier compile.
#pragma once

#include "src/lgc/codegen/registers/spill_counts.h"
#include <functional>
#include <llvm/ADT/StringRef.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Support/CodeGen.h>

namespace llvm {
class AsmPrinter;
}

namespace lgc {

// How registers are allocated.
enum class Allocation {
  AtOnce,  // SGPRs and VGPRs together, which saves setting up the allocator a second and third time. Code that spills
           // SGPRs, or has values of whole waves, is wrong then
  ByBank,  // SGPRs, then VGPRs of whole waves, then the other VGPRs
  Careful, // likewise, without splitting live ranges
};
constexpr size_t AllocationCount = 3;

// How to compile a module first. What is wrong with AtOnce shows afterwards, so a module that is likely to be compiled
// again begins with ByBank.
Allocation firstAllocation(const llvm::Module &module);

// Findings of our passes about the generated code.
struct CodegenOutcome {
  bool restoresExecLate = false; // restore_exec.h
  bool mayLackHelpers = false;   // exact_copies.h
  SpillCounts spills;            // count_spills.h

  // Whether the code must be made again, with Careful.
  bool isDoubtful() const { return restoresExecLate || mayLackHelpers; }
};

// Takes LLVM's passes and hands on the wanted ones.
class CodegenPassFilter final : public llvm::legacy::PassManagerBase {
public:
  using PrinterVisitor = std::function<void(llvm::AsmPrinter &)>;

  // `level`: of the passes. The outcome must outlive the passes. `visitPrinter`: is called with the pass that prints
  // code; may be empty.
  CodegenPassFilter(llvm::legacy::PassManagerBase &passes, llvm::CodeGenOptLevel level, Allocation allocation,
                    CodegenOutcome &outcome, PrinterVisitor visitPrinter)
      : m_passes(passes), m_level(level), m_allocation(allocation), m_outcome(outcome),
        m_visitPrinter(std::move(visitPrinter)) {}

  // Owns the pass, as every pass manager does.
  void add(llvm::Pass *pass) override;

private:
  bool isWanted(llvm::StringRef name);
  llvm::Pass *changeAllocator(llvm::Pass *pass);

  llvm::legacy::PassManagerBase &m_passes;
  const llvm::CodeGenOptLevel m_level;
  const Allocation m_allocation;
  CodegenOutcome &m_outcome;
  const PrinterVisitor m_visitPrinter;
  // passes of each kind so far
  unsigned m_earlyCses = 0, m_deadInstructionEliminations = 0, m_allocators = 0, m_rewriters = 0, m_slotColorings = 0;
};

} // namespace lgc
