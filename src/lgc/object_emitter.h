// SPDX-License-Identifier: MIT
//
// Setting up the legacy pass manager with its 300 passes, the assembler and the printer takes longer than compiling a
// small shader. ObjectEmitter keeps LLVM's code generation from module to module.
//
// LLVM's objects can be used again: at the end of each run, MachineModuleInfo resets the MCContext, the printer resets
// the streamer with its assembler, and AMDGPU's target streamer forgets the PAL metadata that it has written. Only the
// output stream keeps its content, so it is emptied here. After an error the state of the passes is unknown; the caller
// must then drop the emitter.
#pragma once

#include "src/base/error.h"
#include "src/lgc/codegen/codegen_passes.h"
#include "src/lgc/codegen/recorded_instructions.h"
#include "src/lgc/state/compile_options.h"
#include <cstdint>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Support/raw_ostream.h>
#include <memory>
#include <optional>
#include <vector>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace lgc {

class ObjectEmitter {
public:
  // The TargetMachine must outlive the emitter.
  static dovetail::Result<std::unique_ptr<ObjectEmitter>> create(llvm::TargetMachine &machine, CodeFormat format,
                                                                 Allocation allocation);

  // Returns a relocatable object file, or text. Errors go to the diagnostics handler of the module's context.
  std::vector<uint8_t> emit(llvm::Module &module);

  // The instructions of the last module's object file (recorded_instructions.h); none of text.
  std::vector<dovetail::isa::Instruction> takeInstructions();

  // The outcome of the last module.
  const CodegenOutcome &outcome() const { return m_outcome; }

private:
  ObjectEmitter() = default;

  llvm::SmallVector<char, 0> m_object;
  llvm::raw_svector_ostream m_stream{m_object};
  CodegenOutcome m_outcome;
  std::optional<RecordedInstructions> m_recorded;
  llvm::legacy::PassManager m_passes; // writes into the members above
};

} // namespace lgc
