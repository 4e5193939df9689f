// SPDX-License-Identifier: MIT
#include "src/isa/encoding.h"
#include <algorithm>
#include <cstring>

namespace dovetail::isa {

namespace {

constexpr uint8_t Gcn = 1 << unsigned(Microcode::Gfx8And9), Rdna2 = 1 << unsigned(Microcode::Gfx10), Both = Gcn | Rdna2;

struct Format {
  uint32_t mask;
  uint32_t value;
  Encoding encoding;
  uint32_t flags;
  uint8_t microcodes = Both;
};

// What differs besides the leading bits of formats.
struct MicrocodeFacts {
  uint32_t gds;                           // bit of DS
  uint32_t setregImmediate;               // the number of s_setreg_imm32_b32, which has a literal
  std::array<uint8_t, 4> literals;        // those of VOP2 opcodes that have a literal (v_madmk, v_fmaak, …)
  uint32_t getpc, setpc;                  // the numbers of s_getpc_b64 and s_setpc_b64
  uint32_t dpp8;                          // SRC0 announces DPP8, the same plus 1 with lanes that are off; 0: never
  std::array<uint16_t, 8> interpolations; // opcodes of VOP3 that interpolate; unused elements repeat
};
constexpr std::array<MicrocodeFacts, MicrocodeCount> Facts = {{
    // 0x270 to 0x277 ("Vega" ISA manual, section 12.11).
    {.gds = 1u << 16,
     .setregImmediate = 20,
     .literals = {23, 24, 36, 37},
     .getpc = 28,
     .setpc = 29,
     .dpp8 = 0,
     .interpolations = {0x270, 0x271, 0x272, 0x273, 0x274, 0x275, 0x276, 0x277}},
    {.gds = 1u << 17,
     .setregImmediate = 21,
     .literals = {44, 45, 55, 56},
     .getpc = 31,
     .setpc = 32,
     .dpp8 = 233,
     .interpolations = {0x200, 0x201, 0x202, 0x342, 0x343, 0x35a, 0x35a, 0x35a}},
}};

// The leading bits of each format. Where one format's prefix is part of another's, the longer prefix comes first.
constexpr Format Formats[] = {
    {0xff800000, 0xbf800000, Encoding::Sopp, 0},               // 1011 1111 1
    {0xff800000, 0xbf000000, Encoding::Sopc, Salu},            // 1011 1111 0
    {0xff800000, 0xbe800000, Encoding::Sop1, Salu},            // 1011 1110 1
    {0xf0000000, 0xb0000000, Encoding::Sopk, Salu},            // 1011
    {0xc0000000, 0x80000000, Encoding::Sop2, Salu},            // 10
    {0xfc000000, 0xc0000000, Encoding::Smem, Smem, Gcn},       // 1100 00
    {0xfc000000, 0xf4000000, Encoding::Smem, Smem, Rdna2},     // 1111 01
    {0xfc000000, 0xc4000000, Encoding::Exp, Exp, Gcn},         // 1100 01
    {0xfc000000, 0xf8000000, Encoding::Exp, Exp, Rdna2},       // 1111 10
    {0xff800000, 0xd3800000, Encoding::Vop3p, Valu, Gcn},      // 1101 0011 1
    {0xff800000, 0xcc000000, Encoding::Vop3p, Valu, Rdna2},    // 1100 1100 0
    {0xfc000000, 0xd0000000, Encoding::Vop3, Valu, Gcn},       // 1101 00
    {0xfc000000, 0xd4000000, Encoding::Vop3, Valu, Rdna2},     // 1101 01
    {0xfc000000, 0xd4000000, Encoding::Vintrp, Vintrp, Gcn},   // 1101 01
    {0xfc000000, 0xc8000000, Encoding::Vintrp, Vintrp, Rdna2}, // 1100 10
    {0xfc000000, 0xd8000000, Encoding::Ds, Ds},                // 1101 10
    {0xfc000000, 0xdc000000, Encoding::Flat, Vmem},            // 1101 11
    {0xfc000000, 0xe0000000, Encoding::Mubuf, Vmem},           // 1110 00
    {0xfc000000, 0xe8000000, Encoding::Mtbuf, Vmem},           // 1110 10
    {0xfc000000, 0xf0000000, Encoding::Mimg, Vmem | Mimg},     // 1111 00
    {0xfe000000, 0x7e000000, Encoding::Vop1, Valu},            // 0111 111
    {0xfe000000, 0x7c000000, Encoding::Vopc, Valu},            // 0111 110
    {0x80000000, 0x00000000, Encoding::Vop2, Valu},            // 0
};

// By the nine leading bits, which all prefixes fit into.
constexpr unsigned PrefixBits = 9;
using EncodingsOfPrefixes = std::array<Encoding, 1 << PrefixBits>;
constexpr EncodingsOfPrefixes encodingsByPrefix(Microcode microcode) {
  EncodingsOfPrefixes encodings = {};
  for (uint32_t prefix = 0; prefix < encodings.size(); ++prefix) {
    encodings[prefix] = Encoding::Unknown;
    for (const Format &format : Formats)
      if ((format.microcodes >> unsigned(microcode) & 1) != 0 &&
          (prefix << (32 - PrefixBits) & format.mask) == format.value) {
        encodings[prefix] = format.encoding;
        break;
      }
  }
  return encodings;
}
constexpr std::array<EncodingsOfPrefixes, MicrocodeCount> EncodingsByPrefix = {encodingsByPrefix(Microcode::Gfx8And9),
                                                                               encodingsByPrefix(Microcode::Gfx10)};

} // namespace

constinit const decltype(detail::FlagsByEncoding) detail::FlagsByEncoding = [] {
  std::array<uint32_t, size_t(Encoding::Unknown) + 1> flags = {};
  for (const Format &format : Formats)
    flags[size_t(format.encoding)] = format.flags;
  return flags;
}();

Encoding encodingOf(uint32_t firstDword, Microcode microcode) {
  return EncodingsByPrefix[unsigned(microcode)][firstDword >> (32 - PrefixBits)];
}

uint32_t flagsOf(Encoding encoding, uint32_t firstDword, Microcode microcode) {
  const MicrocodeFacts &facts = Facts[unsigned(microcode)];
  uint32_t flags = flagsOf(encoding);
  // SRC0 of the 32-bit vector formats announces an extra dword.
  if (encoding == Encoding::Vop1 || encoding == Encoding::Vop2 || encoding == Encoding::Vopc) {
    uint32_t src0 = firstDword & 0x1ff;
    if (src0 == 249)
      flags |= Sdwa;
    if (src0 == 250 || (facts.dpp8 != 0 && src0 - facts.dpp8 < 2))
      flags |= Dpp;
  }
  if (encoding == Encoding::Ds && (firstDword & facts.gds))
    flags |= Gds;
  // Some opcodes of VOP3 interpolate, on the vector ALU.
  const auto &interpolations = facts.interpolations;
  if (encoding == Encoding::Vop3 &&
      std::find(interpolations.begin(), interpolations.end(), firstDword >> 16 & 0x3ff) != interpolations.end())
    flags |= Vintrp;
  return flags;
}

// LLVM tries its tables of longer instructions first, unless it sees only four bytes ("Vega" ISA manual, chapter 13,
// "RDNA 2", chapter 13: the fields).
bool isWhole(uint32_t firstDword, Microcode microcode) {
  const MicrocodeFacts &facts = Facts[unsigned(microcode)];
  constexpr uint32_t Literal = 255, Sdwa = 249, Dpp = 250;
  const uint32_t low = firstDword & 0xff, high = firstDword >> 8 & 0xff, vectorSource = firstDword & 0x1ff;
  switch (encodingOf(firstDword, microcode)) {
  case Encoding::Sop1:
    return low != Literal;
  case Encoding::Sop2:
  case Encoding::Sopc:
    return low != Literal && high != Literal;
  case Encoding::Sopk:
    return (firstDword >> 23 & 0x1f) != facts.setregImmediate;
  case Encoding::Sopp:
  case Encoding::Vintrp:
    return true;
  case Encoding::Vop2:
    if (std::find(facts.literals.begin(), facts.literals.end(), firstDword >> 25) != facts.literals.end())
      return false;
    [[fallthrough]];
  case Encoding::Vop1:
  case Encoding::Vopc:
    return vectorSource != Literal && vectorSource != Sdwa && vectorSource != Dpp &&
           (facts.dpp8 == 0 || vectorSource - facts.dpp8 >= 2);
  default:
    return false;
  }
}

void describeControl(uint32_t firstDword, Instruction &instruction) {
  std::string_view name = instruction.mnemonic;
  instruction.immediate = uint16_t(firstDword);
  if (name == "s_branch" || name == "s_call_b64" || name.starts_with("s_cbranch_")) {
    instruction.flags |= Branch;
    if (name != "s_branch")
      instruction.flags |= Conditional; // s_call_b64: a call comes back to the next instruction
    instruction.branchTarget = instruction.offset + 4 + 4 * int32_t(int16_t(firstDword));
  }
  if (name.starts_with("s_endpgm"))
    instruction.flags |= EndsProgram;
  if (name.starts_with("s_waitcnt"))
    instruction.flags |= Waitcnt;
  if (name == "s_nop")
    instruction.flags |= Nop;
}

std::optional<uint32_t> farBranchTarget(std::span<const uint8_t> text, uint32_t offset, Microcode microcode) {
  const MicrocodeFacts &facts = Facts[unsigned(microcode)];
  std::array<uint32_t, 6> dwords;
  if (offset + 4 > text.size() || offset + 4 < sizeof(dwords))
    return std::nullopt;
  const uint32_t begin = offset + 4 - uint32_t(sizeof(dwords));
  std::memcpy(dwords.data(), text.data() + begin, sizeof(dwords));
  const auto [getpc, addLow, low, addHigh, high, setpc] = dwords;
  // SOP1: [22:16] SDST, [15:8] opcode, [7:0] SSRC0. SOP2: [29:23] opcode, [22:16] SDST, [15:8] SSRC1, [7:0] SSRC0; 255
  // is a literal ("Vega" ISA manual, 13.1).
  constexpr uint32_t Sop1 = 0xbe800000, AddU32 = 0x80000000, AddcU32 = 0x82000000;
  const uint32_t pair = setpc & 0x7f;
  auto adds = [](uint32_t opcode, uint32_t to) { return opcode | to << 16 | 255u << 8 | to; };
  if (setpc != (Sop1 | facts.setpc << 8 | pair) || (getpc & ~0xffu) != (Sop1 | facts.getpc << 8 | pair << 16) ||
      addLow != adds(AddU32, pair) || addHigh != adds(AddcU32, pair + 1))
    return std::nullopt;
  const int64_t distance = int64_t(uint64_t(high) << 32 | low), target = begin + 4 + distance;
  return target >= 0 && target <= int64_t(UINT32_MAX) ? std::optional(uint32_t(target)) : std::nullopt;
}

} // namespace dovetail::isa
