// SPDX-License-Identifier: MIT
//
// A compiler may move, spill, shift and mask values with undefined bits, as long as nobody depends on these bits. So
// undefined bits travel with a value: through VGPRs, lanes and scratch memory.
//
// To find the effect of a vector instruction on them, the emulator runs it several times with other values in these
// bits. Result bits that change are undefined, too. This is exact for instructions that only move and mask bits. If
// bits are added or multiplied, all bits above them are undefined as well, and so are carries. For all other
// instructions, a result that changes is a trap. Source for the instructions that move bits: "Vega" ISA manual,
// sections 12.7 to 12.12.
#include "tools/proof/emulator/isa/instruction_uses.h"
#include "tools/proof/emulator/isa/print.h"
#include "tools/proof/emulator/wave/wave.h"
#include <ranges>

namespace dovetail::emulator {

namespace {

// Whether each bit of the result is one bit of a source, or the same function of a few source bits.
bool movesBits(std::string_view name) {
  constexpr std::string_view Names[] = {
      "v_mov_b32",     "v_and_b32",      "v_or_b32",        "v_xor_b32",        "v_xnor_b32",       "v_not_b32",
      "v_bfrev_b32",   "v_bfe_u32",      "v_bfe_i32",       "v_bfi_b32",        "v_lshlrev_b16",    "v_lshrrev_b16",
      "v_ashrrev_i16", "v_lshlrev_b32",  "v_lshrrev_b32",   "v_ashrrev_i32",    "v_lshlrev_b64",    "v_lshrrev_b64",
      "v_ashrrev_i64", "v_alignbit_b32", "v_alignbyte_b32", "v_perm_b32",       "v_pack_b32_f16",   "v_lshl_or_b32",
      "v_and_or_b32",  "v_or3_b32",      "v_xor3_b32",      "v_pk_lshlrev_b16", "v_pk_lshrrev_b16", "v_pk_ashrrev_i16"};
  return std::ranges::find(Names, name) != std::end(Names);
}

// If each bit of the result depends only on source bits that are as low or lower: the number of bits of such a result.
// 0: another instruction.
unsigned carriesUp(const Instruction &instruction) {
  if (instruction.isSdwa || instruction.clamp)
    return 0;
  constexpr std::string_view Names[] = {
      "v_add_",        "v_sub_",         "v_subrev_", "v_addc_",   "v_subb_",         "v_subbrev_",
      "v_add3_u32",    "v_lshl_add_u32", "v_xad_u32", "v_mul_lo_", "v_mul_u32_u24",   "v_mul_i32_i24",
      "v_mad_u32_",    "v_mad_i32_",     "v_mad_u16", "v_mad_i16", "v_mad_legacy_u",  "v_mad_legacy_i",
      "v_mad_u64_u32", "v_mad_i64_i32",  "v_pk_add_", "v_pk_sub_", "v_pk_mul_lo_u16", "v_pk_mad_"};
  const std::string_view name = instruction.opcode->name;
  const bool isFloat = name.ends_with("_f16") || name.ends_with("_f32") || name.ends_with("_f64");
  if (isFloat || std::ranges::none_of(Names, [&](std::string_view start) { return name.starts_with(start); }))
    return 0;
  if (instruction.opcode->dstDwords == 2)
    return 64;
  const bool isOfHalves = name.ends_with("_u16") || name.ends_with("_i16");
  return isOfHalves && !name.starts_with("v_mad_u32") && !name.starts_with("v_mad_i32") ? 16 : 32;
}

// The undefined bits of a result, and all bits that carries may reach.
std::array<uint32_t, 2> withCarries(std::array<uint32_t, 2> undefined, unsigned resultBits) {
  const auto above = []<typename T>(T bits) { return T(bits | -bits); };
  if (resultBits == 64) {
    const uint64_t both = above(undefined[0] | uint64_t(undefined[1]) << 32);
    return {uint32_t(both), uint32_t(both >> 32)};
  }
  if (resultBits == 32)
    return {above(undefined[0]), 0};
  return {above(uint16_t(undefined[0])) | uint32_t(above(uint16_t(undefined[0] >> 16))) << 16, 0};
}

// Whether the instruction only writes its VGPRs and a carry, lane by lane.
bool writesItsLanesAlone(const Instruction &instruction) {
  const Opcode &opcode = *instruction.opcode;
  if (opcode.dstDwords == 0 || opcode.dstDwords > 2 || instruction.dst < FirstVgpr || opcode.format == Format::Vopc)
    return false;
  for (std::string_view other : {"v_div_scale_", "v_writelane_", "v_movrel", "v_swap_", "v_interp_", "v_permlane"})
    if (opcode.name.starts_with(other))
      return false;
  return true;
}

// The first SGPR of its carries.
std::optional<unsigned> carryOf(const Instruction &instruction) {
  if (!hasSecondResult(instruction) || instruction.opcode->name.starts_with("v_div_scale_"))
    return std::nullopt;
  return instruction.format == Format::Vop3 ? instruction.sdst : unsigned(VccLo);
}

// Tests run with the undefined bits as they are, then with other values.
constexpr unsigned Patterns = 8;
uint32_t withPattern(uint32_t value, uint32_t undefined, unsigned pattern, unsigned salt) {
  constexpr uint32_t GoldenRatio = 0x9e3779b9;
  const uint32_t random = (salt + 97) * GoldenRatio, other = std::rotl(random, 13) * GoldenRatio;
  const std::array<uint32_t, Patterns> chosen = {value, ~value, 0, ~0u, random, ~random, other, ~other};
  return (value & ~undefined) | (chosen[pattern] & undefined);
}

} // namespace

bool Wave::readsUndefinedBits(unsigned vgpr, uint32_t needed) const {
  if (m_setup.mayReadUndefined || needed == 0)
    return false;
  const Lanes &bits = m_undefinedBits.at(vgpr);
  bool isAny = false;
  forEachLane(m_exec, [&](unsigned lane) { isAny |= (bits[lane] & needed) != 0; });
  return isAny;
}

void Wave::setUndefinedBits(unsigned vgpr, const Lanes &bits, uint64_t lanes) {
  Lanes &undefined = m_undefinedBits[vgpr];
  forEachLane(lanes, [&](unsigned lane) { undefined[lane] = bits[lane]; });
  m_hasUndefinedBits[vgpr] = std::ranges::any_of(undefined, [](uint32_t lane) { return lane != 0; });
  if (!m_hasUndefinedBits[vgpr])
    m_undefinedBits.erase(vgpr);
}

Lanes Wave::undefinedBitsOf(unsigned vgpr) const {
  Lanes bits = {};
  if (!hasVgpr(vgpr) || m_setup.mayReadUndefined)
    return bits;
  if (!m_vgprWritten[vgpr])
    bits.fill(~0u);
  else if (m_hasUndefinedBits[vgpr])
    bits = m_undefinedBits.at(vgpr);
  return bits;
}

Lanes &Wave::writeVgprPart(unsigned number, uint32_t kept, uint64_t written) {
  m_keptBits = kept;
  if (!hasVgpr(number) || (m_vgprWritten[number] && !m_hasUndefinedBits[number]))
    return writeVgpr(number);
  Lanes undefined = undefinedBitsOf(number);
  for (uint32_t &lane : undefined)
    lane &= kept;
  Lanes &lanes = writeVgpr(number);
  setUndefinedBits(number, undefined, written);
  return lanes;
}

void Wave::writeVgprLane(unsigned number, unsigned lane, DefinedBits bits) {
  Lanes undefined = {};
  undefined[lane] = ~bits.defined;
  writeVgpr(number)[lane] = bits.value;
  if (hasVgpr(number) && (undefined[lane] != 0 || m_hasUndefinedBits[number]))
    setUndefinedBits(number, undefined, uint64_t(1) << lane);
}

Wave::DefinedBits Wave::readVgprLane(unsigned number, unsigned lane) {
  const uint32_t value = readVgpr(number, 0)[lane];
  return {value, ~undefinedBitsOf(number)[lane]};
}

bool Wave::mayReadUndefined(const Instruction &instruction) const {
  for (unsigned i = 0; i < instruction.src.size(); ++i)
    for (unsigned dword = 0; dword < instruction.opcode->srcDwords[i]; ++dword) {
      const unsigned source = instruction.src[i] + dword;
      if (source >= FirstVgpr) {
        const unsigned vgpr = source - FirstVgpr;
        if (vgpr < m_vgprWritten.size() && (!m_vgprWritten[vgpr] || m_hasUndefinedBits[vgpr]))
          return true;
      } else if (source < InlineZero && m_sgprDefined[source] != ~0u) {
        return true;
      }
    }
  return false;
}

void Wave::noteUnwrittenSource(const Instruction &instruction) {
  if (m_unwrittenSource)
    return;
  const auto note = [&](unsigned operand) {
    const bool isUnwritten = operand >= FirstVgpr ? hasVgpr(operand - FirstVgpr) && !m_vgprWritten[operand - FirstVgpr]
                                                  : operand < InlineZero && m_sgprDefined[operand] == 0;
    if (isUnwritten && !m_unwrittenSource)
      m_unwrittenSource = {operand, instruction.address};
  };
  for (unsigned i = 0; i < instruction.src.size(); ++i)
    for (unsigned dword = 0; dword < instruction.opcode->srcDwords[i]; ++dword)
      note(instruction.src[i] + dword);
  if (instruction.format == Format::Sopk)
    note(instruction.dst);
}

bool Wave::executeWithUndefined(const Instruction &instruction) {
  const Opcode &opcode = *instruction.opcode;
  if (m_setup.mayReadUndefined || !writesItsLanesAlone(instruction))
    return false;
  struct Source {
    bool isVgpr;
    unsigned number;
    Lanes undefined, value; // for an SGPR, only element 0
    bool wasWritten, hadUndefinedBits;
  };
  std::vector<Source> sources;
  const uint64_t read = instruction.isDpp ? ~uint64_t(0) : m_exec;
  for (unsigned i = 0; i < instruction.src.size(); ++i)
    for (unsigned dword = 0; dword < opcode.srcDwords[i]; ++dword) {
      const unsigned operand = instruction.src[i] + dword;
      if (operand < InlineZero) {
        if (checkSgpr(operand) && m_sgprDefined[operand] != ~0u)
          sources.push_back({false, operand, {~m_sgprDefined[operand]}, {m_sgprs[operand]}, false, false});
      } else if (operand >= FirstVgpr && hasVgpr(operand - FirstVgpr)) {
        Source source = {true, operand - FirstVgpr, undefinedBitsOf(operand - FirstVgpr), {}, false, false};
        bool isAny = false;
        forEachLane(read, [&](unsigned lane) { isAny |= source.undefined[lane] != 0; });
        source.value = m_vgprs[source.number];
        source.wasWritten = m_vgprWritten[source.number];
        source.hadUndefinedBits = m_hasUndefinedBits[source.number];
        if (isAny)
          sources.push_back(source);
      }
    }
  // A move of an unwritten register needs no test: its result does not count as written.
  const auto isNothing = [](const Source &source) {
    return source.isVgpr ? !source.wasWritten : source.undefined[0] == ~0u;
  };
  if (sources.empty() || (isMove() && isNothing(sources.front())))
    return false;

  const unsigned first = instruction.dst - FirstVgpr, resultBits = carriesUp(instruction);
  if (resultBits != 0)
    noteUnwrittenSource(instruction);
  const std::optional<unsigned> carry = carryOf(instruction);
  if (carry && *carry > VccLo)
    return false;
  std::array<uint32_t, 2> oldCarry = {}, carries = {};
  if (carry)
    oldCarry = {m_sgprs[*carry], m_sgprs[*carry + 1]};
  std::array<Lanes, 2> old = {}, results = {}, changes = {};
  std::array<bool, 2> isSource = {};
  for (unsigned i = 0; i < opcode.dstDwords && hasVgpr(first + i); ++i)
    old[i] = m_vgprs[first + i];
  for (const Source &source : sources)
    if (source.isVgpr && source.number - first < opcode.dstDwords)
      isSource[source.number - first] = true;
  const std::array<uint32_t, 128> sgprDefined = m_sgprDefined;
  const RoundingNoise noise = m_roundingNoise;
  const UndefinedChoices choices = m_undefinedChoices;
  for (unsigned pattern = 0; pattern < Patterns; ++pattern) {
    for (const Source &source : sources) {
      if (!source.isVgpr) {
        m_sgprs[source.number] = withPattern(source.value[0], source.undefined[0], pattern, source.number);
        m_sgprDefined[source.number] = ~0u;
        continue;
      }
      for (unsigned lane = 0; lane < WaveSize; ++lane)
        m_vgprs[source.number][lane] =
            withPattern(source.value[lane], source.undefined[lane], pattern, source.number * WaveSize + lane);
      m_vgprWritten[source.number] = true;
      m_hasUndefinedBits[source.number] = false;
    }
    m_roundingNoise = noise;
    if (pattern != 0)
      m_undefinedChoices = choices;
    m_keptBits = 0;
    opcode.execute(*this, instruction);
    for (unsigned i = 0; i < opcode.dstDwords && hasVgpr(first + i); ++i) {
      if (pattern == 0)
        results[i] = m_vgprs[first + i];
      for (unsigned lane = 0; lane < WaveSize; ++lane)
        changes[i][lane] |= m_vgprs[first + i][lane] ^ results[i][lane];
      m_vgprs[first + i] = old[i];
    }
    if (!carry)
      continue;
    if (pattern == 0)
      carries = {m_sgprs[*carry], m_sgprs[*carry + 1]};
    m_sgprs[*carry] = oldCarry[0];
    m_sgprs[*carry + 1] = oldCarry[1];
  }
  m_sgprDefined = sgprDefined;
  for (const Source &source : sources) {
    if (!source.isVgpr) {
      m_sgprs[source.number] = source.value[0];
      continue;
    }
    m_vgprs[source.number] = source.value;
    m_vgprWritten[source.number] = source.wasWritten;
    m_hasUndefinedBits[source.number] = source.hadUndefinedBits;
  }
  uint64_t undefinedCarries = 0;
  if (resultBits != 0)
    for (unsigned lane = 0; lane < WaveSize; ++lane) {
      const bool isUndefined = (changes[0][lane] | changes[1][lane]) != 0;
      undefinedCarries |= uint64_t(isUndefined) << lane;
      const std::array<uint32_t, 2> carried = withCarries({changes[0][lane], changes[1][lane]}, resultBits);
      changes[0][lane] = carried[0];
      changes[1][lane] = carried[1];
    }
  if (carry)
    for (unsigned i = 0; i < 2; ++i) {
      m_sgprs[*carry + i] = carries[i];
      m_sgprDefined[*carry + i] = ~uint32_t((undefinedCarries & m_exec) >> (32 * i));
    }
  for (unsigned i = 0; i < opcode.dstDwords && hasVgpr(first + i); ++i) {
    m_vgprs[first + i] = results[i];
    m_vgprWritten[first + i] = true;
    bool isUndefined = false, isComputed = false;
    forEachLane(m_exec, [&](unsigned lane) {
      isUndefined |= changes[i][lane] != 0;
      isComputed |= (changes[i][lane] & ~m_keptBits) != 0;
    });
    // Choosing an unwritten register is a defect.
    const bool isChoice = opcode.name == "v_cndmask_b32" && std::ranges::none_of(sources, isNothing);
    if (isComputed && resultBits == 0 && !movesBits(opcode.name) && !isChoice)
      trap(TrapKind::UninitialisedRegister, "{} was {}",
           sources.front().isVgpr ? fmt::format("v{}", sources.front().number)
                                  : printOperand(sources.front().number, 1),
           isNothing(sources.front()) ? "never written" : "written in part only");
    if (!isUndefined && !m_hasUndefinedBits[first + i])
      continue;
    if (!isSource[i]) // bits that the instruction kept
      for (const Lanes kept = undefinedBitsOf(first + i); unsigned lane : std::views::iota(0u, WaveSize))
        changes[i][lane] |= kept[lane];
    setUndefinedBits(first + i, changes[i], m_exec);
  }
  return true;
}

void Wave::noteSpill(unsigned vgpr, const std::array<uint8_t *, WaveSize> &places) {
  const bool isDefined = !hasVgpr(vgpr) || (m_vgprWritten[vgpr] && !m_hasUndefinedBits[vgpr]);
  if (isDefined && m_undefinedSpills.empty())
    return;
  const Lanes undefined = undefinedBitsOf(vgpr);
  forEachLane(m_exec, [&](unsigned lane) {
    if (places[lane] == nullptr)
      return;
    if (undefined[lane] != 0)
      m_undefinedSpills[places[lane]] = undefined[lane];
    else
      m_undefinedSpills.erase(places[lane]);
  });
}

void Wave::forgetSpill(const std::array<uint8_t *, WaveSize> &places) {
  if (!m_undefinedSpills.empty())
    forEachLane(m_exec, [&](unsigned lane) {
      if (places[lane] != nullptr)
        for (size_t byte = 0; byte < sizeof(uint32_t); ++byte)
          m_undefinedSpills.erase(places[lane] - byte);
    });
}

void Wave::noteReload(unsigned vgpr, const std::array<uint8_t *, WaveSize> &places) {
  if (m_undefinedSpills.empty() || !hasVgpr(vgpr))
    return;
  Lanes undefined = {};
  bool isAny = false;
  forEachLane(m_exec, [&](unsigned lane) {
    if (const auto found = m_undefinedSpills.find(places[lane]); found != m_undefinedSpills.end())
      undefined[lane] = found->second;
    isAny |= undefined[lane] != 0;
  });
  if (isAny)
    setUndefinedBits(vgpr, undefined, m_exec);
}

} // namespace dovetail::emulator
