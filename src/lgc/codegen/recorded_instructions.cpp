// SPDX-License-Identifier: MIT
#include "src/lgc/codegen/recorded_instructions.h"
#include <llvm/CodeGen/AsmPrinter.h>
#include <llvm/MC/MCAsmBackend.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCCodeEmitter.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCObjectWriter.h>
#include <llvm/MC/MCStreamer.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Target/TargetMachine.h>
#include <utility>

using namespace llvm;

namespace lgc {

// Encodes with LLVM's encoder.
class RecordedInstructions::Emitter final : public MCCodeEmitter {
public:
  Emitter(std::unique_ptr<MCCodeEmitter> encoder, RecordedInstructions &recorded)
      : m_encoder(std::move(encoder)), m_recorded(recorded) {}

  void reset() override { m_encoder->reset(); }

  void encodeInstruction(const MCInst &inst, SmallVectorImpl<char> &bytes, SmallVectorImpl<MCFixup> &fixups,
                         const MCSubtargetInfo &subtarget) const override {
    const size_t begin = bytes.size();
    m_encoder->encodeInstruction(inst, bytes, fixups, subtarget);
    m_recorded.add(inst, ArrayRef<char>(bytes).drop_front(begin));
  }

private:
  const std::unique_ptr<MCCodeEmitter> m_encoder;
  RecordedInstructions &m_recorded;
};

RecordedInstructions::RecordedInstructions(TargetMachine &machine)
    : m_machine(machine),
      m_names(machine.getTarget().createMCInstPrinter(machine.getTargetTriple(), 0, *machine.getMCAsmInfo(),
                                                      *machine.getMCInstrInfo(), *machine.getMCRegisterInfo())),
      m_describer(*machine.getMCRegisterInfo(), *machine.getMCInstrInfo(), *m_names,
                  dovetail::isa::microcodeOf(machine.getTargetCPU())) {}

RecordedInstructions::~RecordedInstructions() = default;

// As LLVM makes the streamer of an object file (CodeGenTargetMachineImpl::createMCStreamer).
void RecordedInstructions::record(AsmPrinter &printer, raw_pwrite_stream &stream) {
  const Target &target = m_machine.getTarget();
  const MCSubtargetInfo &subtarget = *m_machine.getMCSubtargetInfo();
  MCContext &context = printer.OutContext;
  std::unique_ptr<MCCodeEmitter> encoder(target.createMCCodeEmitter(*m_machine.getMCInstrInfo(), context));
  std::unique_ptr<MCAsmBackend> backend(
      target.createMCAsmBackend(subtarget, *m_machine.getMCRegisterInfo(), m_machine.Options.MCOptions));
  std::unique_ptr<MCObjectWriter> writer = backend->createObjectWriter(stream);
  printer.OutStreamer.reset(
      target.createMCObjectStreamer(m_machine.getTargetTriple(), context, std::move(backend), std::move(writer),
                                    std::make_unique<Emitter>(std::move(encoder), *this), subtarget));
}

void RecordedInstructions::clear() {
  m_instructions.clear();
  m_offset = 0;
  m_isComplete = true;
}

std::vector<dovetail::isa::Instruction> RecordedInstructions::take() {
  return m_isComplete ? std::exchange(m_instructions, {}) : std::vector<dovetail::isa::Instruction>();
}

void RecordedInstructions::add(const MCInst &inst, ArrayRef<char> bytes) {
  auto described =
      m_describer.describe(inst, {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()}, m_offset);
  m_offset += uint32_t(bytes.size());
  m_isComplete = m_isComplete && described.has_value();
  if (m_isComplete)
    m_instructions.push_back(std::move(*described));
}

} // namespace lgc
