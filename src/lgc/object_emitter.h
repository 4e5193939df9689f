// SPDX-License-Identifier: MIT
//
// ObjectEmitter: LLVM's code generation, kept from module to module.
//
// Setting up the legacy pass manager with its 300 passes, the assembler and the printer takes longer than compiling a
// small shader. They can be used again: at the end of each run, MachineModuleInfo resets the MCContext, the printer
// resets the streamer with its assembler, and AMDGPU's target streamer forgets the PAL metadata that it has written.
// Only the output stream goes on, so it is emptied here. After an error nobody knows what state the passes are in; then
// the emitter is to be dropped.
#pragma once

#include "src/base/error.h"
#include "src/lgc/codegen/codegen_passes.h"
#include "src/lgc/state/compile_options.h"
#include <cstdint>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Support/raw_ostream.h>
#include <memory>
#include <vector>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace lgc {

class ObjectEmitter {
public:
  // The TargetMachine must outlive the emitter. `isCareful`: see CodegenPassFilter.
  static dovetail::Result<std::unique_ptr<ObjectEmitter>> create(llvm::TargetMachine &machine, CodeFormat format,
                                                                 bool isCareful);

  // A relocatable object file, or text. Errors go to the diagnostics handler of the module's context.
  std::vector<uint8_t> emit(llvm::Module &module);

  // Of the last module.
  const CodegenOutcome &outcome() const { return m_outcome; }

private:
  ObjectEmitter() = default;

  llvm::SmallVector<char, 0> m_object;
  llvm::raw_svector_ostream m_stream{m_object};
  CodegenOutcome m_outcome;
  llvm::legacy::PassManager m_passes; // writes into the stream and the outcome
};

} // namespace lgc
