// SPDX-License-Identifier: MIT
//
// LLVM MC finds the instruction's length, opcode, and operands, which instruction_describer.h makes plain data.
#include "src/mc/disassembler.h"
#include "src/isa/encoding.h"
#include "src/mc/instruction_describer.h"
#include <algorithm>
#include <array>
#include <cstring>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <mutex>

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUDisassembler();
}

namespace dovetail::mc {

using namespace isa;

namespace {

constexpr const char *TripleName = "amdgcn--amdpal";
constexpr const char *Wave64Features = "+wavefrontsize64,-wavefrontsize32"; // GFX10 has both sizes

const llvm::Target *findLlvmTarget() {
  static const llvm::Target *target = [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
    std::string error;
    return llvm::TargetRegistry::lookupTarget(llvm::Triple(TripleName), error);
  }();
  return target;
}

class LlvmDisassembler final : public Disassembler {
public:
  static Result<std::unique_ptr<Disassembler>> create(std::string_view gpuName);

  std::string_view gpuName() const override { return m_gpuName; }
  Result<Instruction> decode(std::span<const uint8_t> text, uint32_t offset) override;
  Result<std::string> print(std::span<const uint8_t> text, uint32_t offset) override;

private:
  Result<uint64_t> decodeMc(std::span<const uint8_t> text, uint32_t offset, llvm::MCInst &inst);

  std::string m_gpuName;
  Microcode m_microcode = Microcode::Gfx8And9;
  std::unique_ptr<llvm::MCRegisterInfo> m_registerInfo;
  std::unique_ptr<llvm::MCAsmInfo> m_asmInfo;
  std::unique_ptr<llvm::MCInstrInfo> m_instrInfo;
  std::unique_ptr<llvm::MCSubtargetInfo> m_subtarget;
  std::unique_ptr<llvm::MCContext> m_context;
  std::unique_ptr<llvm::MCDisassembler> m_disassembler;
  std::unique_ptr<llvm::MCInstPrinter> m_printer;
  std::unique_ptr<InstructionDescriber> m_describer;
};

// Errors: UnknownGpu; Internal if LLVM lacks the target.
Result<std::unique_ptr<Disassembler>> LlvmDisassembler::create(std::string_view gpuName) {
  const llvm::Target *target = findLlvmTarget();
  if (!target)
    return makeError(ErrorCode::Internal, "LLVM has no AMDGPU target");
  // Refuses other generations: they have other microcode formats.
  llvm::StringRef name(gpuName.data(), gpuName.size());
  const Microcode microcode = microcodeOf(gpuName);
  const bool isGfx10 = microcode == Microcode::Gfx10;
  if (name.size() != (isGfx10 ? 7 : 6) || !(isGfx10 || name.starts_with("gfx8") || name.starts_with("gfx9")))
    return makeError(ErrorCode::UnknownGpu, "unknown GPU '{}'", gpuName);

  auto self = std::make_unique<LlvmDisassembler>();
  self->m_gpuName = gpuName;
  const llvm::Triple triple(TripleName);
  self->m_registerInfo.reset(target->createMCRegInfo(triple));
  self->m_asmInfo.reset(target->createMCAsmInfo(*self->m_registerInfo, triple, llvm::MCTargetOptions()));
  self->m_instrInfo.reset(target->createMCInstrInfo());
  // The generic subtarget gives the table of processors: createMCSubtargetInfo prints a warning for a name that it does
  // not know.
  std::unique_ptr<llvm::MCSubtargetInfo> generic(target->createMCSubtargetInfo(triple, "", ""));
  if (!generic || !generic->isCPUStringValid(name))
    return makeError(ErrorCode::UnknownGpu, "unknown GPU '{}'", gpuName);
  self->m_microcode = microcode;
  self->m_subtarget.reset(target->createMCSubtargetInfo(triple, name, isGfx10 ? Wave64Features : ""));
  self->m_context = std::make_unique<llvm::MCContext>(triple, self->m_asmInfo.get(), self->m_registerInfo.get(),
                                                      self->m_subtarget.get());
  self->m_disassembler.reset(target->createMCDisassembler(*self->m_subtarget, *self->m_context));
  self->m_printer.reset(
      target->createMCInstPrinter(triple, 0, *self->m_asmInfo, *self->m_instrInfo, *self->m_registerInfo));
  if (!self->m_disassembler || !self->m_printer)
    return makeError(ErrorCode::Internal, "LLVM has no disassembler for '{}'", gpuName);
  self->m_describer = std::make_unique<InstructionDescriber>(*self->m_registerInfo, *self->m_instrInfo,
                                                             *self->m_printer, self->m_microcode);
  return self;
}

// Whether these words make LLVM 22.1.8 end the process instead of reporting that they are no instruction. LLVM then
// reads a literal that is not there, or a name that it does not have ("Vega" ISA manual, chapter 13: the fields; GFX8
// has the same).
bool endsLlvm(uint32_t word, uint32_t next, Microcode microcode) {
  constexpr uint32_t Literal = 255, NoByteOrWord = 7, NoRule = 3;
  auto bits = [](uint32_t value, unsigned first, unsigned count) { return value >> first & ((1u << count) - 1); };
  switch (encodingOf(word, microcode)) {
  case Encoding::Vop3:
  case Encoding::Vop3p: {
    // Comparisons, whose opcodes are below 256, and v_readlane_b32 write SGPRs. Three sources, of which GFX10's may be
    // literals.
    const bool isGfx10 = microcode == Microcode::Gfx10;
    const uint32_t opcode = bits(word, 16, 10), readLane = isGfx10 ? 0x360 : 0x289;
    if ((opcode < 256 || opcode == readLane) && bits(word, 0, 8) == Literal)
      return true;
    return !isGfx10 && (bits(next, 0, 9) == Literal || bits(next, 9, 9) == Literal || bits(next, 18, 9) == Literal);
  }
  case Encoding::Mubuf: // SOFFSET
  case Encoding::Mtbuf:
    return bits(next, 24, 8) == Literal;
  default:
    break;
  }
  constexpr uint32_t Sdwa = 0xf9, Vop1 = 0x3f, Vopc = 0x3e, ReadFirstLane = 2;
  if (bits(word, 25, 7) == Vop1 && bits(word, 9, 8) == ReadFirstLane && bits(word, 17, 8) == Literal)
    return true; // its destination is an SGPR
  if (bits(word, 31, 1) != 0 || bits(word, 0, 9) != Sdwa)
    return false;
  const uint32_t encoding = bits(word, 25, 7);
  return bits(next, 16, 3) == NoByteOrWord || (encoding != Vop1 && bits(next, 24, 3) == NoByteOrWord) ||
         (encoding != Vopc && (bits(next, 8, 3) == NoByteOrWord || bits(next, 11, 2) == NoRule));
}

Result<uint64_t> LlvmDisassembler::decodeMc(std::span<const uint8_t> text, uint32_t offset, llvm::MCInst &inst) {
  if (offset % 4 != 0 || offset + 4 > text.size())
    return makeError(ErrorCode::InvalidInput, "no instruction at offset 0x{:x}", offset);
  // LLVM 22 crashes on a literal that is cut off, so the last instructions are read from a copy with zeros behind it.
  constexpr size_t MaxBytes = 20; // with a literal, also behind two words; with three words of addresses
  std::array<uint8_t, 2 *MaxBytes> last = {};
  llvm::ArrayRef<uint8_t> bytes(text.data() + offset, text.size() - offset), readable = bytes;
  if (bytes.size() < MaxBytes) {
    std::memcpy(last.data(), bytes.data(), bytes.size());
    readable = last;
  }
  uint32_t word, next;
  std::memcpy(&word, readable.data(), 4);
  std::memcpy(&next, readable.data() + 4, 4);
  uint64_t size = 0;
  const auto isInstruction = [&](llvm::ArrayRef<uint8_t> from) {
    return m_disassembler->getInstruction(inst, size, from, offset, llvm::nulls()) == llvm::MCDisassembler::Success &&
           size != 0 && size <= bytes.size();
  };
  if (endsLlvm(word, next, m_microcode) ||
      !isInstruction(isWhole(word, m_microcode) ? readable.take_front(4) : readable)) {
    return makeError(ErrorCode::InvalidInput, "0x{:08x} at offset 0x{:x} is not an instruction", word, offset);
  }
  return size;
}

Result<Instruction> LlvmDisassembler::decode(std::span<const uint8_t> text, uint32_t offset) {
  llvm::MCInst inst;
  const uint32_t size = uint32_t(DOVETAIL_TRY(decodeMc(text, offset, inst)));
  Instruction result = DOVETAIL_TRY(m_describer->describe(inst, text.subspan(offset, size), offset));
  readControl(result, text, m_microcode);
  return result;
}

Result<std::string> LlvmDisassembler::print(std::span<const uint8_t> text, uint32_t offset) {
  llvm::MCInst inst;
  DOVETAIL_TRY(decodeMc(text, offset, inst));
  llvm::SmallString<64> buffer;
  llvm::raw_svector_ostream stream(buffer);
  m_printer->printInst(&inst, offset, "", *m_subtarget, stream);
  llvm::StringRef line = llvm::StringRef(buffer).trim();
  return line.str();
}

// The disassemblers that nobody uses now.
class IdleDisassemblers {
public:
  // nullptr if there is none for this GPU.
  std::unique_ptr<Disassembler> take(std::string_view gpuName) {
    std::lock_guard lock(m_mutex);
    auto found = std::ranges::find(m_idle, gpuName, &Disassembler::gpuName);
    if (found == m_idle.end())
      return nullptr;
    std::unique_ptr<Disassembler> taken = std::move(*found);
    *found = std::move(m_idle.back());
    m_idle.pop_back();
    return taken;
  }
  void giveBack(std::unique_ptr<Disassembler> disassembler) {
    std::lock_guard lock(m_mutex);
    m_idle.push_back(std::move(disassembler));
  }
  void clear() {
    std::vector<std::unique_ptr<Disassembler>> dropped;
    std::lock_guard lock(m_mutex);
    dropped.swap(m_idle);
  }

private:
  std::mutex m_mutex; // guards m_idle; held for a search among a few, a push or a pop
  std::vector<std::unique_ptr<Disassembler>> m_idle;
};

// Never destroyed, because other threads may still compile while the process exits.
IdleDisassemblers &idleDisassemblers() {
  alignas(IdleDisassemblers) static std::byte memory[sizeof(IdleDisassemblers)];
  static IdleDisassemblers *idle = new (memory) IdleDisassemblers;
  return *idle;
}

} // namespace

Result<std::unique_ptr<Disassembler>> Disassembler::create(std::string_view gpuName) {
  return LlvmDisassembler::create(gpuName);
}

Disassembler::Lease::Lease(std::unique_ptr<Disassembler> disassembler) : m_disassembler(std::move(disassembler)) {}

Disassembler::Lease::Lease(Lease &&) noexcept = default;

Disassembler::Lease::~Lease() {
  if (m_disassembler)
    idleDisassemblers().giveBack(std::move(m_disassembler));
}

Result<Disassembler::Lease> Disassembler::forGpu(std::string_view gpuName) {
  if (std::unique_ptr<Disassembler> idle = idleDisassemblers().take(gpuName))
    return Lease(std::move(idle));
  return Lease(DOVETAIL_TRY(create(gpuName)));
}

void Disassembler::dropIdle() {
  idleDisassemblers().clear();
}

Result<std::vector<Instruction>> Disassembler::decodeAll(std::span<const uint8_t> text) {
  std::vector<Instruction> instructions;
  instructions.reserve(text.size() / 5);
  for (uint32_t offset = 0; offset < text.size();) {
    instructions.push_back(DOVETAIL_TRY(decode(text, offset)));
    offset += instructions.back().size;
  }
  return instructions;
}

} // namespace dovetail::mc
