// SPDX-License-Identifier: MIT
#include "src/lgc/object_emitter.h"
#include <llvm/IR/Module.h>
#include <llvm/Support/CodeGen.h>
#include <llvm/Target/TargetMachine.h>

using namespace llvm;

namespace lgc {

dovetail::Result<std::unique_ptr<ObjectEmitter>> ObjectEmitter::create(TargetMachine &machine, CodeFormat format,
                                                                       Allocation allocation) {
  std::unique_ptr<ObjectEmitter> emitter(new ObjectEmitter);
  constexpr bool disableVerify = true; // the callers have verified the module
  CodegenPassFilter::PrinterVisitor record;
  if (format == CodeFormat::Object) {
    emitter->m_recorded.emplace(machine);
    record = [&](AsmPrinter &printer) { emitter->m_recorded->record(printer, emitter->m_stream); };
  }
  CodegenPassFilter passes(emitter->m_passes, machine.getOptLevel(), allocation, emitter->m_outcome, std::move(record));
  const CodeGenFileType type =
      format == CodeFormat::Assembly ? CodeGenFileType::AssemblyFile : CodeGenFileType::ObjectFile;
  if (machine.addPassesToEmitFile(passes, emitter->m_stream, nullptr, type, disableVerify))
    return dovetail::makeError(dovetail::ErrorCode::Internal, "LLVM cannot emit AMDGPU object files");
  return emitter;
}

std::vector<uint8_t> ObjectEmitter::emit(Module &module) {
  m_object.clear();
  if (m_recorded)
    m_recorded->clear();
  m_outcome = {};
  m_passes.run(module);
  return std::vector<uint8_t>(m_object.begin(), m_object.end());
}

std::vector<dovetail::isa::Instruction> ObjectEmitter::takeInstructions() {
  return m_recorded ? m_recorded->take() : std::vector<dovetail::isa::Instruction>();
}

} // namespace lgc
