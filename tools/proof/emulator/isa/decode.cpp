// SPDX-License-Identifier: MIT
//
// The highest bits of the first dword tell the format. Each format has one function that takes its fields apart. VOP1,
// VOP2 and VOPC share the code for SDWA, DPP and literals.
#include "tools/proof/emulator/isa/decode.h"
#include "tools/proof/emulator/isa/instruction_uses.h"
#include "tools/proof/emulator/isa/opcode.h"
#include <algorithm>
#include <cstring>

namespace dovetail::emulator {

namespace {

// VOP3 numbers the opcodes of the short formats from these numbers on.
constexpr unsigned FirstVop2InVop3 = 0x100, FirstVop1InVop3 = 0x140, FirstOwnInVop3 = 0x1c0;

class Decoder {
public:
  Decoder(InstructionSet set, uint64_t address, std::span<const uint8_t> bytes)
      : m_set(set), m_generation(generationOf(set)) {
    m_result.address = address;
    m_result.size = 0;
    m_available = std::min<size_t>(bytes.size() / 4, 2);
    if (m_available > 0)
      std::memcpy(m_words.data(), bytes.data(), m_available * 4);
  }

  Instruction decode() {
    if (m_available == 0)
      return m_result;
    decodeFormat();
    if (m_dwords > m_available)
      m_dwords = 0;
    m_result.size = uint8_t(m_dwords * 4);
    if (m_dwords == 0)
      m_result.opcode = nullptr;
    m_result.waitStateUses = waitStateUses(m_generation, m_result);
    m_result.variedResults = variedResults(m_result);
    m_result.divisionUse = divisionUse(m_result);
    m_result.isPlain = !m_result.isSdwa && !m_result.isDpp && m_result.opSel == 0 && m_result.omod == 0;
    return m_result;
  }

private:
  // Bits [first + count - 1 : first] of the 64-bit word.
  unsigned bits(unsigned first, unsigned count) const {
    uint64_t word = m_words[0] | uint64_t(m_words[1]) << 32;
    return unsigned(word >> first & ((uint64_t(1) << count) - 1));
  }
  bool bit(unsigned number) const { return bits(number, 1) != 0; }

  void decodeFormat();
  void lookUp(Format tableFormat, unsigned number) {
    m_result.number = uint16_t(number);
    m_result.opcode = findOpcode(tableFormat, number, m_set);
  }
  void start(Format format, unsigned number, unsigned dwords) {
    m_result.format = format;
    m_dwords = dwords;
    lookUp(format, number);
  }
  bool isNamed(std::string_view name) const { return m_result.opcode != nullptr && m_result.opcode->name == name; }
  bool nameStarts(std::string_view start) const {
    return m_result.opcode != nullptr && m_result.opcode->name.substr(0, start.size()) == start;
  }

  void scalarAlu();
  void scalarMemory();
  void shortVector();
  void sdwa();
  void dpp();
  void vop3();
  void vop3p();
  void vintrp();
  void dataShare();
  void flat();
  void buffer(Format format);
  void image();
  void exporting();
  void literal();

  InstructionSet m_set;
  Generation m_generation;
  std::array<uint32_t, 2> m_words = {};
  size_t m_available = 0;
  unsigned m_dwords = 0;
  Instruction m_result;
};

// Reads a literal behind the instruction, if an operand asks for it.
void Decoder::literal() {
  m_result.literal = m_words[1];
  m_dwords = 2;
}

void Decoder::scalarAlu() {
  Instruction &result = m_result;
  result.src = {uint16_t(bits(0, 8)), uint16_t(bits(8, 8)), 0};
  result.dst = result.sdst = uint16_t(bits(16, 7));
  result.simm16 = uint16_t(bits(0, 16));
  if (bits(23, 9) == 0b101111111) {
    start(Format::Sopp, bits(16, 7), 1);
    result.src = {};
  } else if (bits(23, 9) == 0b101111110) {
    start(Format::Sopc, bits(16, 7), 1);
  } else if (bits(23, 9) == 0b101111101) {
    start(Format::Sop1, bits(8, 8), 1);
    result.src[1] = 0;
  } else if (bits(28, 4) == 0b1011) {
    start(Format::Sopk, bits(23, 5), 1);
    result.src = {};
    if (isNamed("s_setreg_imm32_b32"))
      literal();
    return;
  } else {
    start(Format::Sop2, bits(23, 7), 1);
  }
  if (result.src[0] == Literal || result.src[1] == Literal)
    literal();
}

// GFX9: the offset has 21 signed bits; without IMM, its low seven bits are an SGPR number, unless SOFFSET_EN selects a
// field of its own. GFX8: the offset has 20 unsigned bits.
void Decoder::scalarMemory() {
  start(Format::Smem, bits(18, 8), 2);
  m_result.srsrc = uint8_t(bits(0, 6) * 2);
  m_result.sdata = uint8_t(bits(6, 7));
  m_result.glc = bit(16);
  m_result.immediate = bit(17);
  if (m_generation == Generation::Gfx9) {
    m_result.soffsetEnable = bit(14);
    m_result.offset = m_result.immediate ? int32_t(bits(32, 21) << 11) >> 11 : 0;
    m_result.soffset = uint8_t(m_result.soffsetEnable ? bits(57, 7) : bits(32, 7));
  } else {
    m_result.offset = m_result.immediate ? int32_t(bits(32, 20)) : 0;
    m_result.soffset = uint8_t(bits(32, 7));
  }
}

// VOP1, VOP2 and VOPC. If carry, condition or comparison result have no field, they are VCC.
void Decoder::shortVector() {
  Instruction &result = m_result;
  unsigned src0 = bits(0, 9);
  result.src = {uint16_t(src0), uint16_t(bits(9, 8) + FirstVgpr), VccLo};
  result.dst = uint16_t(bits(17, 8) + FirstVgpr);
  result.sdst = VccLo;
  if (bits(25, 7) == 0b0111111) {
    start(Format::Vop1, bits(9, 8), 1);
    result.src[1] = 0;
    if (isNamed("v_readfirstlane_b32"))
      result.dst = uint16_t(bits(17, 8));
  } else if (bits(25, 7) == 0b0111110) {
    start(Format::Vopc, bits(17, 8), 1);
    result.dst = VccLo;
  } else {
    start(Format::Vop2, bits(25, 6), 1);
    if (nameStarts("v_madmk") || nameStarts("v_madak"))
      literal();
  }
  if (src0 == Sdwa)
    sdwa();
  else if (src0 == Dpp)
    dpp();
  else if (src0 == Literal)
    literal();
}

void Decoder::sdwa() {
  Instruction &result = m_result;
  m_dwords = 2;
  result.isSdwa = true;
  bool isGfx9 = m_generation == Generation::Gfx9;
  result.src[0] = uint16_t(bits(32, 8) + (isGfx9 && bit(55) ? 0 : FirstVgpr));
  if (result.format != Format::Vop1 && isGfx9 && bit(63))
    result.src[1] = uint16_t(bits(9, 8));
  if (result.format == Format::Vopc) {
    if (isGfx9 && bit(47))
      result.sdst = uint16_t(bits(40, 7));
    else if (!isGfx9)
      result.clamp = bit(45);
    result.dst = result.sdst;
  } else {
    result.sdwa.dstSel = uint8_t(bits(40, 3));
    result.sdwa.dstUnused = uint8_t(bits(43, 2));
    result.clamp = bit(45);
    result.omod = isGfx9 ? uint8_t(bits(46, 2)) : 0;
  }
  for (unsigned i = 0; i < 2; ++i) {
    result.sdwa.srcSel[i] = uint8_t(bits(48 + 8 * i, 3));
    result.sdwa.srcSext[i] = bit(51 + 8 * i);
    result.neg[i] = bit(52 + 8 * i);
    result.abs[i] = bit(53 + 8 * i);
  }
}

void Decoder::dpp() {
  Instruction &result = m_result;
  m_dwords = 2;
  result.isDpp = true;
  result.src[0] = uint16_t(bits(32, 8) + FirstVgpr);
  result.dpp.ctrl = uint16_t(bits(40, 9));
  result.dpp.boundCtrl = bit(51);
  result.dpp.bankMask = uint8_t(bits(56, 4));
  result.dpp.rowMask = uint8_t(bits(60, 4));
  for (unsigned i = 0; i < 2; ++i) {
    result.neg[i] = bit(52 + 2 * i);
    result.abs[i] = bit(53 + 2 * i);
  }
}

// VOP3A and VOP3B. Instructions with two results have SDST in the place of ABS and OPSEL.
void Decoder::vop3() {
  Instruction &result = m_result;
  result.format = Format::Vop3;
  m_dwords = 2;
  unsigned number = bits(16, 10);
  bool isVopc = number < FirstVop2InVop3;
  if (isVopc)
    lookUp(Format::Vopc, number);
  else if (number < FirstVop1InVop3)
    lookUp(Format::Vop2, number - FirstVop2InVop3);
  else if (number < FirstOwnInVop3)
    lookUp(Format::Vop1, number - FirstVop1InVop3);
  else
    lookUp(Format::Vop3, number);

  for (unsigned i = 0; i < 3; ++i) {
    result.src[i] = uint16_t(bits(32 + 9 * i, 9));
    result.neg[i] = bit(61 + i);
  }
  result.omod = uint8_t(bits(59, 2));
  result.clamp = bit(15);
  result.sdst = VccLo;
  result.dst = uint16_t(bits(0, 8) + FirstVgpr);
  if (isVopc)
    result.dst = result.sdst = uint16_t(bits(0, 8));
  else if (isNamed("v_readlane_b32") || isNamed("v_readfirstlane_b32"))
    result.dst = uint16_t(bits(0, 8));

  constexpr unsigned FirstCarry = FirstVop2InVop3 + 25, LastCarry = FirstVop2InVop3 + 30;
  bool hasSdst = (number >= FirstCarry && number <= LastCarry) || number == 0x1e0 || number == 0x1e1 ||
                 number == 0x1e8 || number == 0x1e9; // v_div_scale_*, v_mad_u64_u32, v_mad_i64_i32
  if (hasSdst) {
    result.sdst = uint16_t(bits(8, 7));
    return;
  }
  for (unsigned i = 0; i < 3; ++i)
    result.abs[i] = bit(8 + i);
  result.opSel = m_generation == Generation::Gfx9 ? uint8_t(bits(11, 4)) : 0;
}

void Decoder::vop3p() {
  Instruction &result = m_result;
  start(Format::Vop3p, bits(16, 7), 2);
  result.dst = uint16_t(bits(0, 8) + FirstVgpr);
  for (unsigned i = 0; i < 3; ++i) {
    result.src[i] = uint16_t(bits(32 + 9 * i, 9));
    result.neg[i] = bit(61 + i);
  }
  result.negHi = uint8_t(bits(8, 3));
  result.opSel = uint8_t(bits(11, 3));
  result.opSelHi = uint8_t(bits(59, 2) | bits(14, 1) << 2);
  result.clamp = bit(15);
}

void Decoder::vintrp() {
  start(Format::Vintrp, bits(16, 2), 1);
  m_result.src = {uint16_t(bits(0, 8) + FirstVgpr), 0, 0};
  m_result.channel = uint8_t(bits(8, 2));
  m_result.attribute = uint8_t(bits(10, 6));
  m_result.dst = uint16_t(bits(18, 8) + FirstVgpr);
}

void Decoder::dataShare() {
  start(Format::Ds, bits(17, 8), 2);
  m_result.offset = int32_t(bits(0, 16));
  m_result.gds = bit(16);
  m_result.vaddr = uint8_t(bits(32, 8));
  m_result.vdata = uint8_t(bits(40, 8));
  m_result.vdata1 = uint8_t(bits(48, 8));
  m_result.vdst = uint8_t(bits(56, 8));
}

// The offset is unsigned in the flat segment, and signed in the others. GFX8 has neither segments nor offsets.
void Decoder::flat() {
  unsigned segment = m_generation == Generation::Gfx9 ? bits(14, 2) : 0;
  start(Format::Flat, segment << 7 | bits(18, 7), 2); // see opcode.h
  m_result.glc = bit(16);
  m_result.slc = bit(17);
  m_result.vaddr = uint8_t(bits(32, 8));
  m_result.vdata = uint8_t(bits(40, 8));
  m_result.vdst = uint8_t(bits(56, 8));
  m_result.soffset = 0x7f;
  if (m_generation == Generation::Gfx8) {
    m_result.tfe = bit(55);
    return;
  }
  m_result.segment = uint8_t(segment);
  m_result.lds = bit(13);
  m_result.offset = m_result.segment == 0 ? int32_t(bits(0, 12)) : int32_t(bits(0, 13) << 19) >> 19;
  m_result.soffset = uint8_t(bits(48, 7));
}

void Decoder::buffer(Format format) {
  if (format == Format::Mubuf) {
    start(format, bits(18, 7), 2);
    m_result.lds = bit(16);
    m_result.slc = bit(17);
  } else {
    start(format, bits(15, 4), 2);
    m_result.dataFormat = uint8_t(bits(19, 4));
    m_result.numFormat = uint8_t(bits(23, 3));
    m_result.slc = bit(54);
  }
  m_result.offset = int32_t(bits(0, 12));
  m_result.offen = bit(12);
  m_result.idxen = bit(13);
  m_result.glc = bit(14);
  m_result.vaddr = uint8_t(bits(32, 8));
  m_result.vdata = uint8_t(bits(40, 8));
  m_result.srsrc = uint8_t(bits(48, 5) * 4);
  m_result.tfe = bit(55);
  m_result.soffset = uint8_t(bits(56, 8));
}

void Decoder::image() {
  start(Format::Mimg, bits(18, 7), 2);
  m_result.dmask = uint8_t(bits(8, 4));
  m_result.unorm = bit(12);
  m_result.glc = bit(13);
  m_result.da = bit(14);
  (m_generation == Generation::Gfx9 ? m_result.a16 : m_result.r128) = bit(15);
  m_result.tfe = bit(16);
  m_result.lwe = bit(17);
  m_result.slc = bit(25);
  m_result.vaddr = uint8_t(bits(32, 8));
  m_result.vdata = uint8_t(bits(40, 8));
  m_result.srsrc = uint8_t(bits(48, 5) * 4);
  m_result.ssamp = uint8_t(bits(53, 5) * 4);
  m_result.d16 = bit(63);
}

void Decoder::exporting() {
  start(Format::Exp, 0, 2);
  m_result.exportEnable = uint8_t(bits(0, 4));
  m_result.exportTarget = uint8_t(bits(4, 6));
  m_result.exportCompressed = bit(10);
  m_result.exportDone = bit(11);
  m_result.exportValidMask = bit(12);
  for (unsigned i = 0; i < 4; ++i)
    m_result.exportSource[i] = uint8_t(bits(32 + 8 * i, 8));
}

void Decoder::decodeFormat() {
  if (!bit(31))
    return shortVector();
  if (bits(30, 2) == 0b10)
    return scalarAlu();
  switch (bits(26, 6)) {
  case 0b110000:
    return scalarMemory();
  case 0b110001:
    return exporting();
  case 0b110100:
    return bits(23, 3) == 0b111 && m_generation == Generation::Gfx9 ? vop3p() : vop3();
  case 0b110101:
    return vintrp();
  case 0b110110:
    return dataShare();
  case 0b110111:
    return flat();
  case 0b111000:
    return buffer(Format::Mubuf);
  case 0b111010:
    return buffer(Format::Mtbuf);
  case 0b111100:
    return image();
  default:
    return; // no format has these bits
  }
}

} // namespace

Instruction decode(InstructionSet set, uint64_t address, std::span<const uint8_t> bytes) {
  return Decoder(set, address, bytes).decode();
}

std::string_view formatName(Format format) {
  constexpr std::string_view Names[] = {"SOP1", "SOP2",  "SOPK",   "SOPC", "SOPP", "SMEM",  "VOP1",  "VOP2", "VOPC",
                                        "VOP3", "VOP3P", "VINTRP", "DS",   "FLAT", "MUBUF", "MTBUF", "MIMG", "EXP"};
  return Names[size_t(format)];
}

} // namespace dovetail::emulator
