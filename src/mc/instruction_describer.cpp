// SPDX-License-Identifier: MIT
//
// LLVM MC knows an instruction's opcode and operands. Three things come from the encoding instead: the class
// (encoding.h), the sources of an export (LLVM lists all four, enabled or not), and branch targets. An operand that
// LLVM ties to the destination means that the instruction reads the old value; it becomes a read that is marked `tied`.
// LLVM lists the destination of v_movreld and v_movrelsd, to whose number M0 is added, as a source; it is a write here.
#include "src/mc/instruction_describer.h"
#include "src/isa/encoding.h"
#include <algorithm>
#include <cstring>
#include <llvm/ADT/StringRef.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrDesc.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <optional>

namespace dovetail::mc {

using namespace isa;

namespace {

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

} // namespace

const std::vector<RegisterRange> &InstructionDescriber::rangesOf(unsigned llvmRegister) {
  const auto [found, isNew] = m_ranges.try_emplace(llvmRegister);
  std::vector<RegisterRange> &entry = found->second;
  if (!isNew)
    return entry;
  for (auto sub : m_registers.subregs_inclusive(llvmRegister)) {
    std::optional<Unit> unit = parseUnit(m_registers.getName(sub));
    if (!unit)
      continue;
    auto same =
        std::find_if(entry.begin(), entry.end(), [&](const RegisterRange &range) { return range.file == unit->file; });
    if (same == entry.end()) {
      entry.push_back({unit->file, unit->index, 1});
      continue;
    }
    // A register tuple is one run of neighbours.
    unsigned end = std::max<unsigned>(same->first + same->count, unit->index + 1u);
    same->first = std::min(same->first, unit->index);
    same->count = uint16_t(end - same->first);
  }
  if (entry.empty())
    entry.push_back({RegisterFile::Other, uint16_t(llvmRegister), 1});
  return entry;
}

std::string_view InstructionDescriber::nameOf(const llvm::MCInst &inst) {
  std::string_view &name = m_mnemonics[inst.getOpcode()];
  if (name.empty()) {
    const char *mnemonic = mnemonicOf(m_printer, inst);
    const std::string_view text = mnemonic ? mnemonic : "";
    // LLVM may have more than the name: "scratch_store_dword off, ".
    name = text.substr(0, text.find_first_of(" \t"));
  }
  return name;
}

// Returns false if the list has no room: an instruction of GFX8 or GFX9 has fewer registers.
template <typename List>
bool InstructionDescriber::addRanges(List &list, unsigned llvmRegister, bool implicit, bool tied) {
  for (RegisterRange range : rangesOf(llvmRegister)) {
    range.implicit = implicit;
    range.tied = tied;
    if (list.size() == list.capacity())
      return false;
    list.push_back(range);
  }
  return true;
}

bool InstructionDescriber::addOperands(const llvm::MCInst &inst, Instruction &result) {
  bool fits = true;
  const llvm::MCInstrDesc &desc = m_instructions.get(inst.getOpcode());
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

Result<Instruction> InstructionDescriber::describe(const llvm::MCInst &inst, std::span<const uint8_t> bytes,
                                                   uint32_t offset) {
  Instruction result;
  result.size = uint32_t(bytes.size());
  result.offset = offset;
  result.opcode = inst.getOpcode();
  uint32_t words[2] = {};
  std::memcpy(words, bytes.data(), std::min<size_t>(bytes.size(), 8));
  result.encoding = encodingOf(words[0], m_microcode);
  result.flags = flagsOf(result.encoding, words[0], m_microcode);
  result.mnemonic = nameOf(inst);

  const llvm::MCInstrDesc &desc = m_instructions.get(inst.getOpcode());
  if (result.is(Vmem | Smem | Ds)) {
    if (desc.mayLoad())
      result.flags |= Load;
    if (desc.mayStore())
      result.flags |= Store;
  }
  if (!addOperands(inst, result))
    return makeError(ErrorCode::Unsupported, "the instruction {} at offset 0x{:x} has more operands than are known of",
                     result.mnemonic, offset);
  if (result.encoding == Encoding::Vop3)
    result.source1 = (words[1] >> 9) & 0x1ff;
  if (result.encoding == Encoding::Exp)
    decodeExport(words[0], words[1], result);
  return result;
}

void readControl(Instruction &instruction, std::span<const uint8_t> text, Microcode microcode) {
  if (instruction.encoding == Encoding::Sopp || instruction.encoding == Encoding::Sopk) {
    uint32_t word;
    std::memcpy(&word, text.data() + instruction.offset, sizeof(word));
    describeControl(word, instruction);
  }
  if (instruction.encoding == Encoding::Sop1 &&
      (instruction.mnemonic.starts_with("s_setpc") || instruction.mnemonic.starts_with("s_swappc") ||
       instruction.mnemonic.starts_with("s_rfe"))) {
    const std::optional<uint32_t> target = farBranchTarget(text, instruction.offset, microcode);
    instruction.flags |= target ? Branch : IndirectBranch;
    instruction.branchTarget = target.value_or(0);
  }
}

} // namespace dovetail::mc
