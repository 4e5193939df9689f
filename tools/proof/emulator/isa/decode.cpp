// SPDX-License-Identifier: MIT
//
// The highest bits of the first dword tell the format. Each format has one function that takes its fields apart. VOP1,
// VOP2 and VOPC share the code for SDWA, DPP and literals. Where generations have a field at different places,
// Encodings says where.
#include "tools/proof/emulator/isa/decode.h"
#include "tools/proof/emulator/isa/buffer_formats.h"
#include "tools/proof/emulator/isa/instruction_uses.h"
#include "tools/proof/emulator/isa/opcode.h"
#include <algorithm>
#include <cstring>

namespace dovetail::emulator {

namespace {

constexpr uint8_t None = 255; // there is no such bit
constexpr uint8_t Gcn3 = uint8_t(Generation::Gfx8), Vega = uint8_t(Generation::Gfx9),
                  Rdna2 = uint8_t(Generation::Gfx10);

// The six highest bits of a format, and the generations that have them.
struct Prefix {
  uint8_t bits, generations;
  Format format;
};
constexpr Prefix Prefixes[] = {
    {0b110000, Gcn3 | Vega, Format::Smem},
    {0b111101, Rdna2, Format::Smem},
    {0b110001, Gcn3 | Vega, Format::Exp},
    {0b111110, Rdna2, Format::Exp},
    {0b110100, Gcn3 | Vega, Format::Vop3}, // VOP3P of GFX9, too
    {0b110101, Rdna2, Format::Vop3},
    {0b110011, Rdna2, Format::Vop3p},
    {0b110101, Gcn3 | Vega, Format::Vintrp},
    {0b110010, Rdna2, Format::Vintrp},
    {0b110110, Gcn3 | Vega | Rdna2, Format::Ds},
    {0b110111, Gcn3 | Vega | Rdna2, Format::Flat},
    {0b111000, Gcn3 | Vega | Rdna2, Format::Mubuf},
    {0b111010, Gcn3 | Vega | Rdna2, Format::Mtbuf},
    {0b111100, Gcn3 | Vega | Rdna2, Format::Mimg},
};

constexpr Format formatOf(uint8_t bits, Generation generation) {
  for (const Prefix &prefix : Prefixes)
    if (prefix.bits == bits && (prefix.generations & uint8_t(generation)) != 0)
      return prefix.format;
  return Format::Sopp; // no format has these bits
}

struct Encodings {
  // VOP3 numbers the opcodes of VOP1 from the first to before the last of these numbers. Those of VOP2 begin at 0x100,
  // those of VOPC at 0. Opcodes that only VOP3 has have the rest.
  unsigned firstVop1InVop3, endOfVop1InVop3;
  bool sdwaHasScalars;     // SDWA's sources may be SGPRs, VOPC's destination another SGPR pair, VOP1 and VOP2 have OMOD
  bool hasOpSel;           // VOP3 selects halves
  bool hasVop3Literals;    // VOP3 and VOP3P may have a literal behind them
  bool smemHasRegister;    // SOFFSET is a field of its own, and IMM is always set
  uint8_t dsOpcode, dsGds; // bits
  // FLAT: bits of the offset, in the flat segment and in the others, and of the segment.
  uint8_t flatOffset, segmentOffset, segmentBits;
  uint8_t flatDlc, flatTfe;
  uint8_t mubufHighOpcode, mubufSlc, bufferDlc;
  uint8_t mtbufOpcode, mtbufOpcodeBits, mtbufHighOpcode;
  bool hasA16; // bit 15 of MIMG is A16, not R128
};

constexpr Encodings encodingsOf(Generation generation) {
  Encodings gcn3 = {.firstVop1InVop3 = 0x140,
                    .endOfVop1InVop3 = 0x1c0,
                    .sdwaHasScalars = false,
                    .hasOpSel = false,
                    .hasVop3Literals = false,
                    .smemHasRegister = false,
                    .dsOpcode = 17,
                    .dsGds = 16,
                    .flatOffset = 0,
                    .segmentOffset = 0,
                    .segmentBits = 0,
                    .flatDlc = None,
                    .flatTfe = 55,
                    .mubufHighOpcode = None,
                    .mubufSlc = 17,
                    .bufferDlc = None,
                    .mtbufOpcode = 15,
                    .mtbufOpcodeBits = 4,
                    .mtbufHighOpcode = None,
                    .hasA16 = false};
  if (generation == Generation::Gfx8)
    return gcn3;
  Encodings vega = gcn3;
  vega.sdwaHasScalars = vega.hasOpSel = vega.hasA16 = true;
  vega.flatOffset = 12;
  vega.segmentOffset = 13;
  vega.segmentBits = 2;
  vega.flatTfe = None;
  if (generation == Generation::Gfx9)
    return vega;
  Encodings rdna2 = vega;
  rdna2.firstVop1InVop3 = 0x180;
  rdna2.endOfVop1InVop3 = 0x200;
  rdna2.hasVop3Literals = rdna2.smemHasRegister = true;
  rdna2.hasA16 = false;
  rdna2.dsOpcode = 18;
  rdna2.dsGds = 17;
  rdna2.flatOffset = 11;
  rdna2.segmentOffset = 12;
  rdna2.flatDlc = 12;
  rdna2.mubufHighOpcode = 25;
  rdna2.mubufSlc = 54;
  rdna2.bufferDlc = 15;
  rdna2.mtbufOpcode = 16;
  rdna2.mtbufOpcodeBits = 3;
  rdna2.mtbufHighOpcode = 53;
  return rdna2;
}

// DIM of MIMG: those with a slice or a face.
constexpr bool hasSlice(unsigned dim) {
  enum { Cube = 3, Array1D = 4, Array2D = 5, MsaaArray2D = 7 };
  return dim == Cube || dim == Array1D || dim == Array2D || dim == MsaaArray2D;
}

class Decoder {
public:
  Decoder(InstructionSet set, uint64_t address, std::span<const uint8_t> bytes)
      : m_set(set), m_generation(generationOf(set)), m_encodings(encodingsOf(m_generation)) {
    m_result.generation = m_generation;
    m_result.address = address;
    m_result.size = 0;
    m_available = std::min<size_t>(bytes.size() / 4, m_words.size());
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
  bool bit(unsigned number) const { return number != None && bits(number, 1) != 0; }

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
  void dpp8(bool fetchInactive);
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
  Encodings m_encodings;
  std::array<uint32_t, 5> m_words = {};
  size_t m_available = 0;
  unsigned m_dwords = 0;
  Instruction m_result;
};

// Reads a literal behind the instruction, if an operand asks for it.
void Decoder::literal() {
  m_result.literal = m_words[m_dwords];
  ++m_dwords;
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
// field of its own. GFX8: the offset has 20 unsigned bits. GFX10: there are always both, and the SGPR may be null.
void Decoder::scalarMemory() {
  start(Format::Smem, bits(18, 8), 2);
  m_result.srsrc = uint8_t(bits(0, 6) * 2);
  m_result.sdata = uint8_t(bits(6, 7));
  m_result.glc = bit(16);
  m_result.immediate = bit(17);
  if (m_encodings.smemHasRegister) {
    m_result.dlc = bit(14);
    m_result.immediate = true;
    m_result.offset = int32_t(bits(32, 21) << 11) >> 11;
    m_result.soffset = uint8_t(bits(57, 7));
    m_result.soffsetEnable = m_result.soffset != Null;
  } else if (m_generation == Generation::Gfx9) {
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
    if (hasLiteralFactor(m_result))
      literal();
  }
  if (src0 == Sdwa)
    sdwa();
  else if (src0 == Dpp)
    dpp();
  else if ((src0 == Dpp8 || src0 == Dpp8Inactive) && m_generation >= Generation::Gfx10)
    dpp8(src0 == Dpp8Inactive);
  else if (src0 == Literal && m_dwords == 1) // the literal of v_madak can be src0, too
    literal();
}

void Decoder::sdwa() {
  Instruction &result = m_result;
  m_dwords = 2;
  result.isSdwa = true;
  const bool hasScalars = m_encodings.sdwaHasScalars;
  result.src[0] = uint16_t(bits(32, 8) + (hasScalars && bit(55) ? 0 : FirstVgpr));
  if (result.format != Format::Vop1 && hasScalars && bit(63))
    result.src[1] = uint16_t(bits(9, 8));
  if (result.format == Format::Vopc) {
    if (hasScalars && bit(47))
      result.sdst = uint16_t(bits(40, 7));
    else if (!hasScalars)
      result.clamp = bit(45);
    result.dst = result.sdst;
  } else {
    result.sdwa.dstSel = uint8_t(bits(40, 3));
    result.sdwa.dstUnused = uint8_t(bits(43, 2));
    result.clamp = bit(45);
    result.omod = hasScalars ? uint8_t(bits(46, 2)) : 0;
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
  result.dpp.fetchInactive = m_generation >= Generation::Gfx10 && bit(50);
  result.dpp.boundCtrl = bit(51);
  result.dpp.bankMask = uint8_t(bits(56, 4));
  result.dpp.rowMask = uint8_t(bits(60, 4));
  for (unsigned i = 0; i < 2; ++i) {
    result.neg[i] = bit(52 + 2 * i);
    result.abs[i] = bit(53 + 2 * i);
  }
}

// Each lane takes one of eight. Lanes whose source is off take 0 (docs/hardware-facts.md).
void Decoder::dpp8(bool fetchInactive) {
  m_dwords = 2;
  m_result.isDpp = true;
  m_result.src[0] = uint16_t(bits(32, 8) + FirstVgpr);
  m_result.dpp.ctrl = Dpp8Control | bits(40, 24);
  m_result.dpp.fetchInactive = fetchInactive;
  m_result.dpp.boundCtrl = true;
}

// VOP3A and VOP3B. Instructions with two results have SDST in the place of ABS and OPSEL.
void Decoder::vop3() {
  Instruction &result = m_result;
  result.format = Format::Vop3;
  m_dwords = 2;
  unsigned number = bits(16, 10);
  constexpr unsigned FirstVop2 = 0x100, EndOfVop2 = 0x140;
  bool isVopc = number < FirstVop2;
  if (isVopc)
    lookUp(Format::Vopc, number);
  else if (number < EndOfVop2)
    lookUp(Format::Vop2, number - FirstVop2);
  else if (number >= m_encodings.firstVop1InVop3 && number < m_encodings.endOfVop1InVop3)
    lookUp(Format::Vop1, number - m_encodings.firstVop1InVop3);
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

  if (m_encodings.hasVop3Literals && std::ranges::find(result.src, Literal) != result.src.end())
    literal();
  if (hasSecondResult(result)) {
    result.sdst = uint16_t(bits(8, 7));
    return;
  }
  for (unsigned i = 0; i < 3; ++i)
    result.abs[i] = bit(8 + i);
  result.opSel = m_encodings.hasOpSel ? uint8_t(bits(11, 4)) : 0;
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
  if (m_encodings.hasVop3Literals && std::ranges::find(result.src, Literal) != result.src.end())
    literal();
}

void Decoder::vintrp() {
  start(Format::Vintrp, bits(16, 2), 1);
  m_result.src = {uint16_t(bits(0, 8) + FirstVgpr), 0, 0};
  m_result.channel = uint8_t(bits(8, 2));
  m_result.attribute = uint8_t(bits(10, 6));
  m_result.dst = uint16_t(bits(18, 8) + FirstVgpr);
}

void Decoder::dataShare() {
  start(Format::Ds, bits(m_encodings.dsOpcode, 8), 2);
  m_result.offset = int32_t(bits(0, 16));
  m_result.gds = bit(m_encodings.dsGds);
  m_result.vaddr = uint8_t(bits(32, 8));
  m_result.vdata = uint8_t(bits(40, 8));
  m_result.vdata1 = uint8_t(bits(48, 8));
  m_result.vdst = uint8_t(bits(56, 8));
}

// The offset is unsigned in the flat segment, and signed in the others. GFX8 has neither segments nor offsets.
void Decoder::flat() {
  const Encodings &encodings = m_encodings;
  const unsigned segment = bits(14, encodings.segmentBits);
  start(Format::Flat, segment << 7 | bits(18, 7), 2); // see opcode.h
  m_result.glc = bit(16);
  m_result.slc = bit(17);
  m_result.dlc = bit(encodings.flatDlc);
  m_result.tfe = bit(encodings.flatTfe);
  m_result.vaddr = uint8_t(bits(32, 8));
  m_result.vdata = uint8_t(bits(40, 8));
  m_result.vdst = uint8_t(bits(56, 8));
  m_result.soffset = NoSaddr;
  if (encodings.segmentBits == 0)
    return;
  m_result.segment = uint8_t(segment);
  m_result.lds = bit(13);
  const unsigned unusedBits = 32u - encodings.segmentOffset;
  m_result.offset = segment == 0 ? int32_t(bits(0, encodings.flatOffset))
                                 : int32_t(bits(0, encodings.segmentOffset) << unusedBits) >> unusedBits;
  m_result.soffset = uint8_t(bits(48, 7));
  if (m_result.soffset == Null && m_generation >= Generation::Gfx10)
    m_result.soffset = NoSaddr;
}

void Decoder::buffer(Format format) {
  const Encodings &encodings = m_encodings;
  if (format == Format::Mubuf) {
    start(format, bits(18, 7) | unsigned(bit(encodings.mubufHighOpcode)) << 7, 2);
    m_result.lds = bit(16);
    m_result.slc = bit(encodings.mubufSlc);
  } else {
    start(format,
          bits(encodings.mtbufOpcode, encodings.mtbufOpcodeBits) | unsigned(bit(encodings.mtbufHighOpcode))
                                                                       << encodings.mtbufOpcodeBits,
          2);
    const BufferFormat texel = factsOf(m_generation).hasUnifiedFormats
                                   ? splitBufferFormat(bits(19, 7))
                                   : BufferFormat{uint8_t(bits(19, 4)), uint8_t(bits(23, 3))};
    m_result.dataFormat = texel.data;
    m_result.numFormat = texel.number;
    m_result.slc = bit(54);
  }
  m_result.offset = int32_t(bits(0, 12));
  m_result.offen = bit(12);
  m_result.idxen = bit(13);
  m_result.glc = bit(14);
  m_result.dlc = bit(encodings.bufferDlc);
  m_result.vaddr = uint8_t(bits(32, 8));
  m_result.vdata = uint8_t(bits(40, 8));
  m_result.srsrc = uint8_t(bits(48, 5) * 4);
  m_result.tfe = bit(55);
  m_result.soffset = uint8_t(bits(56, 8));
}

void Decoder::image() {
  const bool hasDims = factsOf(m_generation).hasImageDims;
  start(Format::Mimg, bits(18, 7) | (hasDims ? bits(0, 1) << 7 : 0), 2);
  m_result.dmask = uint8_t(bits(8, 4));
  m_result.unorm = bit(12);
  m_result.glc = bit(13);
  m_result.tfe = bit(16);
  m_result.lwe = bit(17);
  m_result.slc = bit(25);
  m_result.vaddr = uint8_t(bits(32, 8));
  m_result.vdata = uint8_t(bits(40, 8));
  m_result.srsrc = uint8_t(bits(48, 5) * 4);
  m_result.ssamp = uint8_t(bits(53, 5) * 4);
  m_result.d16 = bit(63);
  if (!hasDims) {
    m_result.da = bit(14);
    (m_encodings.hasA16 ? m_result.a16 : m_result.r128) = bit(15);
    return;
  }
  m_result.dim = uint8_t(bits(3, 3));
  m_result.da = hasSlice(m_result.dim);
  m_result.dlc = bit(7);
  m_result.r128 = bit(15);
  m_result.a16 = bit(62);
  // Each further dword has four more registers of the address. How many of them count, only the instruction knows.
  const unsigned more = bits(1, 2);
  if (more == 0)
    return;
  m_dwords += more;
  m_result.vaddrs[0] = m_result.vaddr;
  for (unsigned i = 0; i < 4 * more; ++i)
    m_result.vaddrs[1 + i] = uint8_t(m_words[2 + i / 4] >> i % 4 * 8);
  m_result.vaddrCount = uint8_t(1 + 4 * more);
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
  switch (formatOf(uint8_t(bits(26, 6)), m_generation)) {
  case Format::Smem:
    return scalarMemory();
  case Format::Exp:
    return exporting();
  case Format::Vop3:
    return bits(23, 3) == 0b111 && m_generation == Generation::Gfx9 ? vop3p() : vop3();
  case Format::Vop3p:
    return vop3p();
  case Format::Vintrp:
    return vintrp();
  case Format::Ds:
    return dataShare();
  case Format::Flat:
    return flat();
  case Format::Mubuf:
  case Format::Mtbuf:
    return buffer(bit(27) ? Format::Mtbuf : Format::Mubuf);
  case Format::Mimg:
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
