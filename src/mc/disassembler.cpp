// SPDX-License-Identifier: MIT
//
// LLVM MC finds the instruction's length, opcode, and operands. Three things come from the encoding instead: the class
// (encoding.h), the sources of an export (LLVM lists all four, enabled or not), and branch targets. An operand that
// LLVM ties to the destination means that the instruction reads the old value; it becomes a read that is marked `tied`.
// LLVM lists the destination of v_movreld and v_movrelsd, to whose number M0 is added, as a source; it is a write here.
#include "src/mc/disassembler.h"
#include "src/isa/encoding.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <deque>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrDesc.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <mutex>
#include <optional>

extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUDisassembler();
}

namespace dovetail::mc {

using namespace isa;

namespace {

constexpr const char *TripleName = "amdgcn--amdpal";

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

// A 32-bit register in our files that has a name in LLVM. Wider registers consist of several.
struct Unit {
  RegisterFile file;
  uint16_t index;
};

std::optional<Unit> parseUnit(llvm::StringRef name) {
  struct Special {
    const char *prefix;
    Unit unit;
  };
  // LLVM adds suffixes for generations (FLAT_SCR_LO_vi).
  static constexpr Special Specials[] = {
      {"VCC_LO", {RegisterFile::Vcc, 0}},
      {"VCC_HI", {RegisterFile::Vcc, 1}},
      {"EXEC_LO", {RegisterFile::Exec, 0}},
      {"EXEC_HI", {RegisterFile::Exec, 1}},
      {"M0", {RegisterFile::M0, 0}},
      {"SCC", {RegisterFile::Scc, 0}},
      {"SRC_SCC", {RegisterFile::Scc, 0}},
      {"FLAT_SCR_LO", {RegisterFile::FlatScratch, 0}},
      {"FLAT_SCR_HI", {RegisterFile::FlatScratch, 1}},
      {"XNACK_MASK_LO", {RegisterFile::XnackMask, 0}},
      {"XNACK_MASK_HI", {RegisterFile::XnackMask, 1}},
      {"SRC_VCCZ", {RegisterFile::Vccz, 0}},
      {"SRC_EXECZ", {RegisterFile::Execz, 0}},
      {"MODE", {RegisterFile::Mode, 0}},
      {"LDS_DIRECT", {RegisterFile::LdsDirect, 0}},
  };
  for (RegisterFile file : {RegisterFile::Sgpr, RegisterFile::Vgpr}) {
    llvm::StringRef rest = name;
    unsigned index = 0;
    if (rest.consume_front(file == RegisterFile::Sgpr ? "SGPR" : "VGPR") && !rest.getAsInteger(10, index))
      return Unit{file, uint16_t(index)};
  }
  // Halves of registers are not units.
  if (name.ends_with("_LO16") || name.ends_with("_HI16"))
    return std::nullopt;
  for (const Special &special : Specials) {
    llvm::StringRef rest = name;
    if (rest.consume_front(special.prefix) && (rest.empty() || rest.front() == '_'))
      return special.unit;
  }
  return std::nullopt;
}

bool writesRelative(std::string_view mnemonic) {
  return mnemonic.starts_with("v_movreld") || mnemonic.starts_with("v_movrelsd");
}

// getMnemonic takes a pointer in older and a reference in newer LLVM.
template <typename Printer> const char *mnemonicOf(Printer &printer, const llvm::MCInst &inst) {
  if constexpr (requires { printer.getMnemonic(inst); })
    return printer.getMnemonic(inst).first;
  else
    return printer.getMnemonic(&inst).first;
}

class LlvmDisassembler final : public Disassembler {
public:
  static Result<std::unique_ptr<Disassembler>> create(std::string_view gpuName);

  std::string_view gpuName() const override { return m_gpuName; }
  Result<Instruction> decode(std::span<const uint8_t> text, uint32_t offset) override;
  Result<std::string> print(std::span<const uint8_t> text, uint32_t offset) override;

private:
  Result<uint64_t> decodeMc(std::span<const uint8_t> text, uint32_t offset, llvm::MCInst &inst);
  const std::vector<RegisterRange> &rangesOf(unsigned llvmRegister);
  std::string_view nameOf(const llvm::MCInst &inst);
  bool addOperands(const llvm::MCInst &inst, Instruction &result);
  template <typename List> bool addRanges(List &list, unsigned llvmRegister, bool implicit, bool tied);

  std::string m_gpuName;
  std::unique_ptr<llvm::MCRegisterInfo> m_registerInfo;
  std::unique_ptr<llvm::MCAsmInfo> m_asmInfo;
  std::unique_ptr<llvm::MCInstrInfo> m_instrInfo;
  std::unique_ptr<llvm::MCSubtargetInfo> m_subtarget;
  std::unique_ptr<llvm::MCContext> m_context;
  std::unique_ptr<llvm::MCDisassembler> m_disassembler;
  std::unique_ptr<llvm::MCInstPrinter> m_printer;
  // By LLVM's number; computed at the first request.
  std::vector<std::optional<std::vector<RegisterRange>>> m_ranges;
  std::vector<std::string_view> m_mnemonics;
};

Result<std::unique_ptr<Disassembler>> LlvmDisassembler::create(std::string_view gpuName) {
  const llvm::Target *target = findLlvmTarget();
  if (!target)
    return makeError(ErrorCode::Internal, "LLVM has no AMDGPU target");
  // Refuses other generations: they have other microcode formats.
  llvm::StringRef name(gpuName.data(), gpuName.size());
  if (name.size() != 6 || !(name.starts_with("gfx8") || name.starts_with("gfx9")))
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
  self->m_subtarget.reset(target->createMCSubtargetInfo(triple, name, ""));
  self->m_context = std::make_unique<llvm::MCContext>(llvm::Triple(TripleName), self->m_asmInfo.get(),
                                                      self->m_registerInfo.get(), self->m_subtarget.get());
  self->m_disassembler.reset(target->createMCDisassembler(*self->m_subtarget, *self->m_context));
  self->m_printer.reset(target->createMCInstPrinter(llvm::Triple(TripleName), 0, *self->m_asmInfo, *self->m_instrInfo,
                                                    *self->m_registerInfo));
  if (!self->m_disassembler || !self->m_printer)
    return makeError(ErrorCode::Internal, "LLVM has no disassembler for '{}'", gpuName);
  self->m_ranges.resize(self->m_registerInfo->getNumRegs());
  self->m_mnemonics.resize(self->m_instrInfo->getNumOpcodes());
  return self;
}

// Whether these words make LLVM 22.1.8 end the process instead of reporting that they are no instruction. LLVM then
// reads a literal that is not there, or a name that it does not have ("Vega" ISA manual, chapter 13: the fields; GFX8
// has the same).
bool endsLlvm(uint32_t word, uint32_t next) {
  constexpr uint32_t Literal = 255, NoByteOrWord = 7, NoRule = 3;
  auto bits = [](uint32_t value, unsigned first, unsigned count) { return value >> first & ((1u << count) - 1); };
  switch (bits(word, 26, 6)) {
  case 0x34: // VOP3 and VOP3P: three sources; comparisons, whose opcodes are below 256, also have the mask that they
             // write
    return bits(next, 0, 9) == Literal || bits(next, 9, 9) == Literal || bits(next, 18, 9) == Literal ||
           (bits(word, 16, 10) < 256 && bits(word, 0, 8) == Literal);
  case 0x38: // MUBUF, and
  case 0x3a: // MTBUF: SOFFSET
    return bits(next, 24, 8) == Literal;
  default:
    break;
  }
  constexpr uint32_t Sdwa = 0xf9, Vop1 = 0x3f, Vopc = 0x3e;
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
  constexpr size_t MaxBytes = 12; // with a literal, also behind two words
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
  if (endsLlvm(word, next) ||
      m_disassembler->getInstruction(inst, size, readable, offset, llvm::nulls()) != llvm::MCDisassembler::Success ||
      size == 0 || size > bytes.size()) {
    return makeError(ErrorCode::InvalidInput, "0x{:08x} at offset 0x{:x} is not an instruction", word, offset);
  }
  return size;
}

const std::vector<RegisterRange> &LlvmDisassembler::rangesOf(unsigned llvmRegister) {
  std::optional<std::vector<RegisterRange>> &entry = m_ranges[llvmRegister];
  if (entry)
    return *entry;
  entry.emplace();
  for (auto sub : m_registerInfo->subregs_inclusive(llvmRegister)) {
    std::optional<Unit> unit = parseUnit(m_registerInfo->getName(sub));
    if (!unit)
      continue;
    auto same = std::find_if(entry->begin(), entry->end(),
                             [&](const RegisterRange &range) { return range.file == unit->file; });
    if (same == entry->end()) {
      entry->push_back({unit->file, unit->index, 1});
      continue;
    }
    // A register tuple is one run of neighbours.
    unsigned end = std::max<unsigned>(same->first + same->count, unit->index + 1u);
    same->first = std::min(same->first, unit->index);
    same->count = uint16_t(end - same->first);
  }
  if (entry->empty())
    entry->push_back({RegisterFile::Other, uint16_t(llvmRegister), 1});
  return *entry;
}

std::string_view LlvmDisassembler::nameOf(const llvm::MCInst &inst) {
  std::string_view &name = m_mnemonics[inst.getOpcode()];
  if (name.empty()) {
    const char *mnemonic = mnemonicOf(*m_printer, inst);
    std::string_view text = mnemonic ? mnemonic : "";
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
      text.remove_suffix(1);
    name = text;
  }
  return name;
}

// Returns false if the list has no room: an instruction of GFX8 or GFX9 has fewer registers.
template <typename List> bool LlvmDisassembler::addRanges(List &list, unsigned llvmRegister, bool implicit, bool tied) {
  for (RegisterRange range : rangesOf(llvmRegister)) {
    range.implicit = implicit;
    range.tied = tied;
    if (list.size() == list.capacity())
      return false;
    list.push_back(range);
  }
  return true;
}

bool LlvmDisassembler::addOperands(const llvm::MCInst &inst, Instruction &result) {
  bool fits = true;
  const llvm::MCInstrDesc &desc = m_instrInfo->get(inst.getOpcode());
  for (unsigned i = 0; i < inst.getNumOperands(); ++i) {
    const llvm::MCOperand &operand = inst.getOperand(i);
    const bool isDef = i < desc.getNumDefs() || (i == 0 && writesRelative(result.mnemonic));
    // LLVM may leave the tied source out of the list. So the destination's register is added as the read.
    int tiedTo = i < desc.getNumOperands() ? desc.getOperandConstraint(i, llvm::MCOI::TIED_TO) : -1;
    if (tiedTo >= 0) {
      if (unsigned(tiedTo) < inst.getNumOperands() && inst.getOperand(tiedTo).isReg() &&
          inst.getOperand(tiedTo).getReg())
        fits &= addRanges(result.reads, inst.getOperand(tiedTo).getReg(), false, true);
      continue;
    }
    if (!operand.isReg() || !operand.getReg())
      continue;
    if (isDef)
      fits &= addRanges(result.writes, operand.getReg(), false, false);
    else if (result.encoding != Encoding::Exp)
      fits &= addRanges(result.reads, operand.getReg(), false, false);
  }
  // Tied operands that the decoder left out at the end.
  for (unsigned i = inst.getNumOperands(); i < desc.getNumOperands(); ++i) {
    int tiedTo = desc.getOperandConstraint(i, llvm::MCOI::TIED_TO);
    if (tiedTo >= 0 && unsigned(tiedTo) < inst.getNumOperands() && inst.getOperand(tiedTo).isReg())
      fits &= addRanges(result.reads, inst.getOperand(tiedTo).getReg(), false, true);
  }
  for (auto reg : desc.implicit_uses())
    fits &= addRanges(result.reads, reg, true, false);
  for (auto reg : desc.implicit_defs())
    fits &= addRanges(result.writes, reg, true, false);
  return fits;
}

void decodeExport(uint32_t word, uint32_t sources, Instruction &result) {
  result.exportEnable = word & 0xf;
  result.exportTarget = (word >> 4) & 0x3f;
  result.exportCompressed = (word >> 10) & 1;
  result.exportDone = (word >> 11) & 1;
  result.exportValidMask = (word >> 12) & 1;
  for (unsigned i = 0; i < (result.exportCompressed ? 2u : 4u); ++i) {
    // Compressed: a source holds two components, and EN has two bits for it.
    uint8_t enable = result.exportCompressed ? (result.exportEnable >> (2 * i)) & 3 : (result.exportEnable >> i) & 1;
    if (enable)
      result.reads.push_back({RegisterFile::Vgpr, uint16_t((sources >> (8 * i)) & 0xff), 1});
  }
}

Result<Instruction> LlvmDisassembler::decode(std::span<const uint8_t> text, uint32_t offset) {
  llvm::MCInst inst;
  Instruction result;
  result.size = uint32_t(DOVETAIL_TRY(decodeMc(text, offset, inst)));
  result.offset = offset;
  result.opcode = inst.getOpcode();
  uint32_t words[2] = {};
  std::memcpy(words, text.data() + offset, std::min<size_t>(result.size, 8));
  result.encoding = encodingOf(words[0]);
  result.flags = flagsOf(result.encoding, words[0]);
  result.mnemonic = nameOf(inst);

  const llvm::MCInstrDesc &desc = m_instrInfo->get(inst.getOpcode());
  if (result.is(Vmem | Smem | Ds)) {
    if (desc.mayLoad())
      result.flags |= Load;
    if (desc.mayStore())
      result.flags |= Store;
  }
  if (!addOperands(inst, result))
    return makeError(ErrorCode::Unsupported, "the instruction {} at offset 0x{:x} has more operands than are known of",
                     result.mnemonic, offset);
  if (result.encoding == Encoding::Sopp || result.encoding == Encoding::Sopk)
    describeControl(words[0], result);
  if (result.encoding == Encoding::Sop1 &&
      (result.mnemonic.starts_with("s_setpc") || result.mnemonic.starts_with("s_swappc") ||
       result.mnemonic.starts_with("s_rfe"))) {
    const std::optional<uint32_t> target = farBranchTarget(text, offset);
    result.flags |= target ? Branch : IndirectBranch;
    result.branchTarget = target.value_or(0);
  }
  if (result.encoding == Encoding::Vop3)
    result.source1 = (words[1] >> 9) & 0x1ff;
  if (result.encoding == Encoding::Exp)
    decodeExport(words[0], words[1], result);
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

// It is never destroyed, because other threads may still compile while the process exits.
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
