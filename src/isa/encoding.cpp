// SPDX-License-Identifier: MIT
#include "src/isa/encoding.h"
#include <cstring>

namespace dovetail::isa {

namespace {

struct Format {
  uint32_t mask;
  uint32_t value;
  Encoding encoding;
  uint32_t flags;
};

// The leading bits of each format. Where one format's prefix is part of another's, the longer prefix comes first.
constexpr Format Formats[] = {
    {0xff800000, 0xbf800000, Encoding::Sopp, 0},           // 1011 1111 1
    {0xff800000, 0xbf000000, Encoding::Sopc, Salu},        // 1011 1111 0
    {0xff800000, 0xbe800000, Encoding::Sop1, Salu},        // 1011 1110 1
    {0xf0000000, 0xb0000000, Encoding::Sopk, Salu},        // 1011
    {0xc0000000, 0x80000000, Encoding::Sop2, Salu},        // 10
    {0xfc000000, 0xc0000000, Encoding::Smem, Smem},        // 1100 00
    {0xfc000000, 0xc4000000, Encoding::Exp, Exp},          // 1100 01
    {0xff800000, 0xd3800000, Encoding::Vop3p, Valu},       // 1101 0011 1
    {0xfc000000, 0xd0000000, Encoding::Vop3, Valu},        // 1101 00
    {0xfc000000, 0xd4000000, Encoding::Vintrp, Vintrp},    // 1101 01
    {0xfc000000, 0xd8000000, Encoding::Ds, Ds},            // 1101 10
    {0xfc000000, 0xdc000000, Encoding::Flat, Vmem},        // 1101 11
    {0xfc000000, 0xe0000000, Encoding::Mubuf, Vmem},       // 1110 00
    {0xfc000000, 0xe8000000, Encoding::Mtbuf, Vmem},       // 1110 10
    {0xfc000000, 0xf0000000, Encoding::Mimg, Vmem | Mimg}, // 1111 00
    {0xfe000000, 0x7e000000, Encoding::Vop1, Valu},        // 0111 111
    {0xfe000000, 0x7c000000, Encoding::Vopc, Valu},        // 0111 110
    {0x80000000, 0x00000000, Encoding::Vop2, Valu},        // 0
};

// By the nine leading bits, which all prefixes fit into.
constexpr unsigned PrefixBits = 9;
constexpr auto EncodingsByPrefix = [] {
  std::array<Encoding, 1 << PrefixBits> encodings = {};
  for (uint32_t prefix = 0; prefix < encodings.size(); ++prefix) {
    encodings[prefix] = Encoding::Unknown;
    for (const Format &format : Formats)
      if ((prefix << (32 - PrefixBits) & format.mask) == format.value) {
        encodings[prefix] = format.encoding;
        break;
      }
  }
  return encodings;
}();

} // namespace

constinit const decltype(detail::FlagsByEncoding) detail::FlagsByEncoding = [] {
  std::array<uint32_t, size_t(Encoding::Unknown) + 1> flags = {};
  for (const Format &format : Formats)
    flags[size_t(format.encoding)] = format.flags;
  return flags;
}();

Encoding encodingOf(uint32_t firstDword) {
  return EncodingsByPrefix[firstDword >> (32 - PrefixBits)];
}

uint32_t flagsOf(Encoding encoding, uint32_t firstDword) {
  uint32_t flags = flagsOf(encoding);
  // SRC0 of the 32-bit vector formats announces an extra dword.
  if (encoding == Encoding::Vop1 || encoding == Encoding::Vop2 || encoding == Encoding::Vopc) {
    uint32_t src0 = firstDword & 0x1ff;
    if (src0 == 249)
      flags |= Sdwa;
    if (src0 == 250)
      flags |= Dpp;
  }
  if (encoding == Encoding::Ds && (firstDword & (1u << 16)))
    flags |= Gds;
  // VOP3: OP 0x270 to 0x277 interpolate, on the vector ALU ("Vega" ISA manual, section 12.11).
  constexpr uint32_t interpolations = 0xd0000000 | 0x270 << 16, opcodes = 0xfff80000;
  if ((firstDword & opcodes) == interpolations)
    flags |= Vintrp;
  return flags;
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

std::optional<uint32_t> farBranchTarget(std::span<const uint8_t> text, uint32_t offset) {
  std::array<uint32_t, 6> dwords;
  if (offset + 4 > text.size() || offset + 4 < sizeof(dwords))
    return std::nullopt;
  const uint32_t begin = offset + 4 - uint32_t(sizeof(dwords));
  std::memcpy(dwords.data(), text.data() + begin, sizeof(dwords));
  const auto [getpc, addLow, low, addHigh, high, setpc] = dwords;
  // SOP1: [22:16] SDST, [15:8] opcode, [7:0] SSRC0. SOP2: [29:23] opcode, [22:16] SDST, [15:8] SSRC1, [7:0] SSRC0; 255
  // is a literal ("Vega" ISA manual, 13.1).
  constexpr uint32_t GetpcB64 = 0xbe801c00, AddU32 = 0x80000000, AddcU32 = 0x82000000, SetpcB64 = 0xbe801d00;
  const uint32_t pair = setpc & 0x7f;
  auto adds = [](uint32_t opcode, uint32_t to) { return opcode | to << 16 | 255u << 8 | to; };
  if (setpc != (SetpcB64 | pair) || (getpc & ~0xffu) != (GetpcB64 | pair << 16) || addLow != adds(AddU32, pair) ||
      addHigh != adds(AddcU32, pair + 1))
    return std::nullopt;
  const int64_t distance = int64_t(uint64_t(high) << 32 | low), target = begin + 4 + distance;
  return target >= 0 && target <= int64_t(UINT32_MAX) ? std::optional(uint32_t(target)) : std::nullopt;
}

} // namespace dovetail::isa
