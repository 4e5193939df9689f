// SPDX-License-Identifier: MIT
#include "src/isa/encoder.h"
#include "src/abi/target_info.h"
#include "src/isa/encoding.h"
#include "src/isa/opcode_rows.h"
#include <algorithm>
#include <cassert>
#include <cstring>
#include <iterator>

namespace dovetail::isa {

namespace {

uint32_t vgprField(Operand operand) {
  return operand.code & 0xff;
}

// VOP1, VOP2 and VOPC have VOP3 forms, whose numbers follow from theirs ("Vega" ISA manual, section 12).
unsigned vop3Number(const OpcodeRow &row) {
  switch (row.encoding) {
  case Encoding::Vop1:
    return 0x140u + row.number;
  case Encoding::Vop2:
    return 0x100u + row.number;
  default:
    return row.number;
  }
}

constexpr std::string_view LoadMnemonics[] = {"tbuffer_load_format_x", "tbuffer_load_format_xy",
                                              "tbuffer_load_format_xyz", "tbuffer_load_format_xyzw"};

constexpr std::string_view StoreMnemonics[] = {"buffer_store_dword", "buffer_store_dwordx2", "buffer_store_dwordx3",
                                               "buffer_store_dwordx4"};

} // namespace

bool exists(Opcode opcode, bool isGfx9) {
  return rowOf(opcode).exists(isGfx9);
}

Encoder::Encoder(bool isGfx9, size_t expectedInstructions) : m_isGfx9(isGfx9) {
  m_words.reserve(2 * expectedInstructions);
  m_instructions.reserve(expectedInstructions);
}

Instruction &Encoder::append(Opcode opcode, uint32_t word) {
  const OpcodeRow &row = rowOf(opcode);
  assert(exists(opcode, m_isGfx9));
  Instruction &instruction = m_instructions.emplace_back();
  instruction.offset = offset();
  instruction.size = 4;
  instruction.encoding = row.encoding;
  instruction.flags = flagsOf(row.encoding); // no SDWA, no DPP, no GDS
  instruction.mnemonic = row.encoding == Encoding::Vopc ? row.shortMnemonic() : row.mnemonic(m_isGfx9);
  m_words.push_back(word);
  return instruction;
}

// Adds the registers of an operand; constants have none.
template <typename List> void Encoder::addOperand(List &list, Operand operand, unsigned dwords) {
  RegisterRange range{RegisterFile::Sgpr, operand.code, uint16_t(dwords)};
  if (operand.isVgpr())
    range = {RegisterFile::Vgpr, uint16_t(operand.code - 256), uint16_t(dwords)};
  else if (operand.code == VccLo.code)
    range = {RegisterFile::Vcc, 0, uint16_t(dwords)};
  else if (operand.code == Exec.code)
    range = {RegisterFile::Exec, 0, uint16_t(dwords)};
  else if (operand.code == M0.code)
    range = {RegisterFile::M0, 0, 1};
  else if (operand.code >= NumberedSgprs) {
    assert(operand.isConstant() || operand.isLiteral());
    return;
  }
  m_use.add(range);
  list.push_back(range);
}

// Adds implicit registers in the order in which the disassembler lists them.
void Encoder::addImplicit(uint32_t traits, Instruction &instruction) {
  auto add = [&](uint32_t bits, auto &list, RegisterFile file, uint16_t count) {
    if (!(traits & bits))
      return;
    const RegisterRange range{file, 0, count, true};
    m_use.add(range);
    list.push_back(range);
  };
  using namespace traits;
  add(ReadsScc, instruction.reads, RegisterFile::Scc, 1);
  add(ReadsMode, instruction.reads, RegisterFile::Mode, 1);
  add(ReadsM0 | (m_isGfx9 ? 0u : ReadsM0OnGfx8), instruction.reads, RegisterFile::M0, 1);
  add(ReadsVcc | MaskIn, instruction.reads, RegisterFile::Vcc, 2);
  add(ReadsExec, instruction.reads, RegisterFile::Exec, 2);
  add(ReadsM0Last, instruction.reads, RegisterFile::M0, 1);
  add(ReadsFlatScratch, instruction.reads, RegisterFile::FlatScratch, 2);
  add(WritesExec, instruction.writes, RegisterFile::Exec, 2);
  add(WritesScc, instruction.writes, RegisterFile::Scc, 1);
  add(WritesMode, instruction.writes, RegisterFile::Mode, 1);
  add(MaskOut, instruction.writes, RegisterFile::Vcc, 2);
}

void Encoder::appendWord(uint32_t word) {
  m_words.push_back(word);
  m_instructions.back().size = 8;
}

void Encoder::emit(Opcode opcode, Operand destination, Operand source0, Operand source1, Operand source2) {
  const OpcodeRow &row = rowOf(opcode);
  uint32_t word = 0;
  switch (row.encoding) {
  case Encoding::Sop2:
    word = 0x80000000 | row.numberOn(m_isGfx9) << 23 | destination.code << 16 | source1.code << 8 | source0.code;
    break;
  case Encoding::Sop1:
    word = 0xbe800000 | destination.code << 16 | row.numberOn(m_isGfx9) << 8 | (row.sourceCount ? source0.code : 0);
    break;
  case Encoding::Vop1:
    word = 0x7e000000 | vgprField(destination) << 17 | row.numberOn(m_isGfx9) << 9 | source0.code;
    break;
  case Encoding::Vop2:
    if (!source1.isVgpr()) {
      emitVop3(opcode, vop3Number(row), destination, std::array{source0, source1}, false);
      return;
    }
    word = row.numberOn(m_isGfx9) << 25 | vgprField(destination) << 17 | vgprField(source1) << 9 | source0.code;
    break;
  case Encoding::Vop3:
  case Encoding::Vop3p: {
    const std::array sources = {source0, source1, source2};
    emitVop3(opcode, row.numberOn(m_isGfx9), destination, std::span(sources).first(row.sourceCount), false);
    return;
  }
  default:
    assert(!"compare() or another emit()");
  }
  const bool hasTwoSources = row.encoding == Encoding::Sop2 || row.encoding == Encoding::Vop2;
  Instruction &instruction = append(opcode, word);
  addOperand(instruction.writes, destination, row.destinationDwords);
  if (row.sourceDwords[0])
    addOperand(instruction.reads, source0, row.sourceDwords[0]);
  if (hasTwoSources)
    addOperand(instruction.reads, source1, row.sourceDwords[0]);
  addImplicit(row.traits, instruction);
  if (row.sourceDwords[0] && source0.isLiteral())
    appendWord(source0.literal);
  else if (hasTwoSources && source1.isLiteral())
    appendWord(source1.literal);
}

void Encoder::emitClamped(Opcode opcode, Operand destination, Operand source0, Operand source1) {
  emitVop3(opcode, vop3Number(rowOf(opcode)), destination, std::array{source0, source1}, true);
}

// VOP3 has its number in [25:16] and CLAMP in [15]. VOP3P has it in [22:16]; each half takes the same half of its
// sources (OP_SEL_HI, [60:59] and [14]).
void Encoder::emitVop3(Opcode opcode, unsigned number, Operand destination, std::span<const Operand> sources,
                       bool clamp) {
  const OpcodeRow &row = rowOf(opcode);
  const bool isPacked = row.encoding == Encoding::Vop3p;
  uint32_t word = isPacked ? 0xd3800000 | number << 16 | 1u << 14 : 0xd0000000 | number << 16;
  Instruction &instruction = append(opcode, word | vgprField(destination) | uint32_t(clamp) << 15);
  instruction.encoding = isPacked ? Encoding::Vop3p : Encoding::Vop3;
  addOperand(instruction.writes, destination, 1);
  uint32_t second = isPacked ? 3u << 27 : 0;
  for (size_t i = 0; i < sources.size(); ++i) {
    assert(!sources[i].isLiteral());
    second |= uint32_t(sources[i].code) << 9 * i;
    addOperand(instruction.reads, sources[i], 1);
  }
  if (!isPacked && sources.size() > 1)
    instruction.source1 = sources[1].code;
  addImplicit(row.traits, instruction);
  appendWord(second);
}

void Encoder::compare(Opcode opcode, Operand source0, Operand source1) {
  const OpcodeRow &row = rowOf(opcode);
  const bool isVector = row.encoding == Encoding::Vopc;
  assert(isVector ? source1.isVgpr() : row.encoding == Encoding::Sopc && !source0.isLiteral() && !source1.isLiteral());
  const uint32_t word = isVector ? 0x7c000000 | row.numberOn(m_isGfx9) << 17 | vgprField(source1) << 9 | source0.code
                                 : 0xbf000000 | row.numberOn(m_isGfx9) << 16 | source1.code << 8 | source0.code;
  Instruction &instruction = append(opcode, word);
  addOperand(instruction.reads, source0, row.sourceDwords[0]);
  addOperand(instruction.reads, source1, row.sourceDwords[0]);
  addImplicit(row.traits, instruction);
  if (source0.isLiteral())
    appendWord(source0.literal);
}

void Encoder::emit(Opcode opcode, uint16_t immediate, uint32_t literal) {
  const OpcodeRow &row = rowOf(opcode);
  const bool hasLiteral = row.encoding == Encoding::Sopk;
  assert(hasLiteral || row.encoding == Encoding::Sopp);
  const uint32_t word = hasLiteral ? 0xb0000000 | row.numberOn(m_isGfx9) << 23 | immediate
                                   : 0xbf800000 | row.numberOn(m_isGfx9) << 16 | immediate;
  Instruction &instruction = append(opcode, word);
  describeControl(word, instruction);
  addImplicit(row.traits, instruction);
  if (hasLiteral)
    appendWord(literal);
}

// VM_CNT [3:0], EXP_CNT [6:4], LGKM_CNT [11:8]; GFX9 has two more bits of VM_CNT in [15:14]. A counter at its limit may
// stand for more outstanding operations, so the highest count to wait for is one below the limit (LLVM:
// SIInsertWaitcnts, determineWait).
void Encoder::wait(WaitCounts counts) {
  const unsigned limit = m_isGfx9 ? 63 : 15;
  const unsigned vm = counts.vm == WaitCounts().vm ? limit : std::min(counts.vm, limit - 1);
  emit(Opcode::SWaitcnt, uint16_t((vm & 15) | counts.exp << 4 | counts.lgkm << 8 | (vm >> 4) << 14));
}

// SBASE [5:0] in pairs of SGPRs, SDATA [12:6], IMM [17], opcode [25:18], OFFSET [52:32].
void Encoder::load(Opcode opcode, Operand destination, Operand base, uint32_t offset) {
  const OpcodeRow &row = rowOf(opcode);
  assert(row.encoding == Encoding::Smem && base.code % 2 == 0 && offset < 1u << 20);
  Instruction &instruction =
      append(opcode, 0xc0000000 | row.numberOn(m_isGfx9) << 18 | 1u << 17 | destination.code << 6 | base.code / 2);
  instruction.flags |= Load;
  addOperand(instruction.writes, destination, row.destinationDwords);
  addOperand(instruction.reads, base, row.sourceDwords[0]);
  appendWord(offset);
}

// OFFSET [11:0], IDXEN [13], opcode [18:15], DFMT [22:19], NFMT [25:23], VADDR [39:32], VDATA [47:40], SRSRC [52:48] in
// fours of SGPRs, SOFFSET [63:56].
void Encoder::load(const TypedLoad &load) {
  assert(load.offset < 4096 && load.descriptor.code % 4 == 0 && !load.scalarOffset.isLiteral());
  Instruction &instruction =
      append(Opcode::TbufferLoadFormatX, 0xe8000000 | load.numFormat << 23 | load.dataFormat << 19 |
                                             (load.channels - 1) << 15 | 1u << 13 | load.offset);
  instruction.flags |= Load;
  instruction.mnemonic = LoadMnemonics[load.channels - 1];
  addOperand(instruction.writes, load.destination, load.channels);
  addOperand(instruction.reads, load.index, 1);
  addOperand(instruction.reads, load.descriptor, 4);
  addOperand(instruction.reads, load.scalarOffset, 1);
  addImplicit(rowOf(Opcode::TbufferLoadFormatX).traits, instruction);
  appendWord(uint32_t(load.scalarOffset.code) << 24 | (load.descriptor.code / 4u) << 16 |
             vgprField(load.destination) << 8 | vgprField(load.index));
}

// OFFSET [11:0], OFFEN [12], GLC [14], opcode [24:18], VADDR [39:32], VDATA [47:40], SRSRC [52:48] in fours of SGPRs,
// SOFFSET [63:56].
void Encoder::access(Opcode opcode, const BufferAccess &access) {
  const OpcodeRow &row = rowOf(opcode);
  const bool isStore = opcode == Opcode::BufferStoreDword;
  assert(row.encoding == Encoding::Mubuf && access.offset < 4096 && access.descriptor.code % 4 == 0);
  assert(access.channels >= 1 && (isStore ? access.channels <= 4 : access.channels == 1));
  Instruction &instruction = append(opcode, 0xe0000000 | (row.numberOn(m_isGfx9) + access.channels - 1) << 18 |
                                                uint32_t(access.isCoherent) << 14 |
                                                uint32_t(access.address.has_value()) << 12 | access.offset);
  instruction.flags |= isStore ? Store : Load;
  if (isStore)
    instruction.mnemonic = StoreMnemonics[access.channels - 1];
  if (isStore)
    addOperand(instruction.reads, access.data, access.channels);
  else
    addOperand(instruction.writes, access.data, access.channels);
  if (access.address)
    addOperand(instruction.reads, *access.address, 1);
  addOperand(instruction.reads, access.descriptor, 4);
  addOperand(instruction.reads, access.scalarOffset, 1);
  addImplicit(row.traits, instruction);
  appendWord(uint32_t(access.scalarOffset.code) << 24 | (access.descriptor.code / 4u) << 16 |
             vgprField(access.data) << 8 | (access.address ? vgprField(*access.address) : 0));
}

// OFFSET0 [7:0], OFFSET1 [15:8], opcode [24:17], ADDR [39:32], VDST [63:56]. A single offset counts bytes, two offsets
// count dwords. GFX8 compares addresses with M0; LLVM lists M0 as a source on GFX9, too.
void Encoder::readLds(Operand destination, Operand address, std::span<const uint8_t> dwords) {
  assert(dwords.size() == 1 || dwords.size() == 2);
  const Opcode opcode = dwords.size() == 2 ? Opcode::DsRead2B32 : Opcode::DsReadB32;
  const OpcodeRow &row = rowOf(opcode);
  const uint32_t offset = dwords.size() == 2 ? dwords[0] | uint32_t(dwords[1]) << 8 : dwords[0] * 4u;
  Instruction &instruction = append(opcode, 0xd8000000 | row.numberOn(m_isGfx9) << 17 | offset);
  instruction.flags |= Load;
  addOperand(instruction.writes, destination, row.destinationDwords);
  addOperand(instruction.reads, address, 1);
  addImplicit(row.traits, instruction);
  appendWord(vgprField(destination) << 24 | vgprField(address));
}

// VSRC [7:0], ATTRCHAN [9:8], ATTR [15:10], opcode [17:16], VDST [25:18].
void Encoder::interpolate(Opcode opcode, const Interpolation &interpolation) {
  const OpcodeRow &row = rowOf(opcode);
  assert(row.encoding == Encoding::Vintrp && interpolation.attribute < 64 && interpolation.channel < 4);
  Instruction &instruction =
      append(opcode, 0xd4000000 | vgprField(interpolation.destination) << 18 | row.numberOn(m_isGfx9) << 16 |
                         interpolation.attribute << 10 | interpolation.channel << 8 | vgprField(interpolation.weight));
  addOperand(instruction.writes, interpolation.destination, 1);
  if (opcode == Opcode::VInterpP2F32) {
    addOperand(instruction.reads, interpolation.destination, 1);
    instruction.reads.back().tied = true;
  }
  if (row.sourceDwords[0])
    addOperand(instruction.reads, interpolation.weight, 1);
  addImplicit(row.traits, instruction);
}

// EN [3:0], TGT [9:4], COMPR [10], DONE [11], VM [12], VSRC0 to 3 from [39:32] on.
void Encoder::exportTo(const Export &exported) {
  Instruction &instruction =
      append(Opcode::Exp, 0xc4000000 | exported.enable | exported.target << 4 | uint32_t(exported.compressed) << 10 |
                              uint32_t(exported.done) << 11 | uint32_t(exported.validMask) << 12);
  instruction.exportTarget = uint8_t(exported.target);
  instruction.exportEnable = uint8_t(exported.enable);
  instruction.exportDone = exported.done;
  instruction.exportValidMask = exported.validMask;
  instruction.exportCompressed = exported.compressed;
  addImplicit(rowOf(Opcode::Exp).traits, instruction);
  uint32_t second = 0;
  for (unsigned i = 0; i < (exported.compressed ? 2u : 4u); ++i) {
    const unsigned mask = exported.compressed ? 3u << 2 * i : 1u << i;
    if (!(exported.enable & mask))
      continue;
    second |= vgprField(exported.sources[i]) << 8 * i;
    addOperand(instruction.reads, exported.sources[i], 1);
  }
  appendWord(second);
}

void Encoder::patch(uint32_t offset, uint16_t immediate) {
  uint32_t &word = m_words[offset / 4];
  word = (word & 0xffff0000) | immediate;
  auto patched = std::ranges::lower_bound(m_instructions, offset, {}, &Instruction::offset);
  assert(patched != m_instructions.end() && patched->offset == offset && patched->encoding == Encoding::Sopp);
  describeControl(word, *patched);
}

std::vector<uint8_t> Encoder::bytes() const {
  std::vector<uint8_t> bytes(m_words.size() * 4);
  std::memcpy(bytes.data(), m_words.data(), bytes.size());
  return bytes;
}

} // namespace dovetail::isa
