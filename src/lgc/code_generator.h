// SPDX-License-Identifier: MIT
//
// Setting up LLVM takes long. A CodeGenerator keeps the LLVM machinery of one BuilderContext from compile to compile.
//
// It keeps for each optimisation level:
// - the TargetMachine, with its cache of subtargets
// - the new pass managers' pipelines
// - the analysis managers with their registered analyses, which forget their results after each module
// - the passes of code generation (object_emitter.h)
//
// tests/lgc/code_generator_test.cpp measures the effect.
#pragma once

#include "src/abi/target_info.h"
#include "src/base/error.h"
#include "src/isa/instruction.h"
#include "src/lgc/codegen/codegen_passes.h"
#include "src/lgc/codegen/diagnostics.h"
#include "src/lgc/pipeline.h"
#include <cstdint>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/PassManager.h>
#include <memory>
#include <utility>
#include <vector>

namespace llvm {
class PassBuilder;
class TargetMachine;
} // namespace llvm

namespace lgc {

class CodeGenerator {
public:
  // Fails if LLVM was built without the AMDGPU target.
  static dovetail::Result<std::unique_ptr<CodeGenerator>> create(llvm::LLVMContext &context,
                                                                 const dovetail::TargetInfo &target);
  ~CodeGenerator();

  Diagnostics &diagnostics() { return m_diagnostics; }
  CompileCounts &counts() { return m_counts; }

  // Sets the module's triple and data layout.
  void setTarget(llvm::Module &module) const;

  // Optimises replayed IR. Afterwards unused code is gone, and the remaining inputs, outputs and resources are those
  // that the shader needs.
  void optimizeShader(llvm::Module &module, unsigned level);
  // Inlines and cleans up a module in hardware form.
  void optimizeHardwareForm(llvm::Module &module, unsigned level);
  // Runs one module pass that is not kept.
  template <typename Pass> void run(llvm::Module &module, Pass pass) {
    llvm::ModulePassManager passes;
    passes.addPass(std::move(pass));
    runPasses(module, passes, 2);
  }

  // Generates code: an object file, or text.
  dovetail::Result<std::vector<uint8_t>> emit(llvm::Module &module, unsigned level,
                                              CodeFormat format = CodeFormat::Object);
  // The instructions of the last emit(), if it made an object file (recorded_instructions.h).
  std::vector<dovetail::isa::Instruction> takeInstructions() { return std::move(m_instructions); }
  // Spills of the last emit().
  const SpillCounts &spills() const { return m_spills; }

  llvm::TargetMachine &targetMachine();

private:
  struct Level; // all objects that depend on the optimisation level
  struct Emitted {
    std::vector<uint8_t> object;
    std::vector<dovetail::isa::Instruction> instructions;
    CodegenOutcome outcome;
  };

  CodeGenerator(llvm::LLVMContext &context, const dovetail::TargetInfo &target);
  Level &level(unsigned level);
  dovetail::Result<Emitted> emitOnce(llvm::Module &module, unsigned level, CodeFormat format, Allocation allocation);
  void runPasses(llvm::Module &module, llvm::ModulePassManager &passes, unsigned level);

  const dovetail::TargetInfo &m_target;
  Diagnostics m_diagnostics;
  CompileCounts m_counts;
  std::vector<dovetail::isa::Instruction> m_instructions;
  SpillCounts m_spills;
  std::unique_ptr<Level> m_levels[FirstCodeLevel + 1];
};

} // namespace lgc
