// SPDX-License-Identifier: MIT
//
// "Vega" ISA manual, section 6.2.2: output modifiers have no effect if denormal results are on, and they turn -0 into
// +0. Section 13.3.7: SDWA.
#include "tools/proof/emulator/alu/vector_result.h"
#include "tools/proof/emulator/alu/fused_execute.h"
#include <cfenv>
#include <cmath>

namespace dovetail::emulator {

namespace {

constexpr std::array<int, 4> HostModes = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

// The part of a register that SDWA's DST_SEL selects: shift and mask.
struct Part {
  unsigned shift;
  uint32_t mask;
};
Part partOf(unsigned select) {
  if (select < 4)
    return {select * 8, 0xff};
  return {(select - 4) * 16, 0xffff};
}

// DST_UNUSED: 0 clears the rest of the register, 1 fills the bits above the part with its sign, 2 keeps the rest.
uint32_t insertPart(uint32_t old, uint32_t value, const SdwaFields &sdwa) {
  Part part = partOf(sdwa.dstSel);
  uint32_t placed = (value & part.mask) << part.shift;
  switch (sdwa.dstUnused) {
  case 0:
    return placed;
  case 1:
    return (value & (part.mask ^ part.mask >> 1)) != 0 ? placed | ~part.mask << part.shift : placed;
  default:
    return placed | (old & ~(part.mask << part.shift));
  }
}

NoiseSource noiseSourceOf(std::string_view name) {
  if (name.starts_with("v_interp_"))
    return NoiseSource::Interpolation;
  for (std::string_view function : {"v_rcp_", "v_rsq_", "v_sqrt_", "v_exp_", "v_log_", "v_sin_", "v_cos_"})
    if (name.starts_with(function))
      return NoiseSource::Transcendental;
  return NoiseSource::Arithmetic;
}

// Reads DX10_CLAMP of MODE.
bool clampsNotANumbers(const Wave &wave) {
  return (wave.mode() >> 8 & 1) != 0;
}

} // namespace

ResultMode resultMode(const Wave &wave, const Instruction &instruction, OperandKind kind) {
  bool keepsDenormals = (wave.mode() >> (kind.width == 32 ? 5 : 7) & 1) != 0;
  ResultMode mode;
  mode.rounding = roundingOf(wave, kind.width);
  mode.flush = flushesResults(wave, kind);
  mode.omod = kind.isFloat && !keepsDenormals ? instruction.omod : 0;
  mode.clamp = instruction.clamp;
  mode.dx10Clamp = clampsNotANumbers(wave);
  return mode;
}

HostRounding::HostRounding(Rounding rounding) : m_changed(rounding != Rounding::NearestEven) {
  if (m_changed)
    std::fesetround(HostModes[size_t(rounding)]);
}

HostRounding::~HostRounding() {
  if (m_changed)
    std::fesetround(FE_TONEAREST);
}

void replaceNotANumbers(Wave &wave, Lanes &bits) {
  // Replacements are no denormals, so nothing needs a flush.
  auto values = std::bit_cast<std::array<float, WaveSize>>(bits);
  chooseForNotANumber(wave, values);
  bits = std::bit_cast<Lanes>(values);
}

void clampLanes(const Wave &wave, const Lanes &masks, Lanes &bits) {
  const bool dx10Clamp = clampsNotANumbers(wave);
  withHostVectors([&] {
    DOVETAIL_LANES_ARE_APART
    for (unsigned lane = 0; lane < WaveSize; ++lane) {
      const auto clamped = std::bit_cast<uint32_t>(clampToUnit(std::bit_cast<float>(bits[lane]), dx10Clamp));
      bits[lane] = (clamped & masks[lane]) | (bits[lane] & ~masks[lane]);
    }
  });
}

uint16_t modifyHalf(double value, const ResultMode &mode) {
  auto flush = [&](uint16_t bits) { return mode.flush && (bits & 0x7c00) == 0 ? uint16_t(bits & 0x8000) : bits; };
  uint16_t bits = flush(toHalf(value, mode.rounding));
  if (mode.omod != 0)
    bits = flush(toHalf(outputModifier(fromHalf(bits), mode.omod), mode.rounding));
  return mode.clamp ? toHalf(clampToUnit(fromHalf(bits), mode.dx10Clamp), mode.rounding) : bits;
}

void addRoundingNoise(Wave &wave, const Instruction &instruction, Lanes &bits) {
  const std::string_view name = instruction.opcode->name;
  if (name.starts_with("v_cvt_"))
    return;
  const NoiseSource source = noiseSourceOf(name);
  if (!wave.roundingNoise().isOf(source))
    return;
  // These results get noise even if they look exact. At a pixel's centre, one implementation may interpolate exactly
  // 0.5, and another may miss it. And no series ends exactly at a number of few bits.
  const bool mayLookExact = source == NoiseSource::Interpolation || name.starts_with("v_sin_") ||
                            name.starts_with("v_cos_") || name.starts_with("v_exp_") || name.starts_with("v_log_");
  const uint64_t exact = wave.exactLanes();
  for (unsigned lane = 0; lane < WaveSize; ++lane)
    if ((exact >> lane & 1) == 0)
      bits[lane] = std::bit_cast<uint32_t>(wave.roundingNoise().apply(std::bit_cast<float>(bits[lane]), mayLookExact));
}

void moveReciprocals(const Wave &wave, const Instruction &instruction, Lanes &bits) {
  if (!instruction.opcode->name.starts_with("v_rcp_"))
    return;
  for (uint32_t &value : bits)
    if (std::isnormal(std::bit_cast<float>(value)))
      value += uint32_t(wave.reciprocalUlps());
}

void writeLanes(Wave &wave, const Instruction &instruction, OperandKind kind, bool keepsOtherHalf, const Lanes &bits) {
  uint64_t written = writtenLanes(wave, instruction);
  bool toHighHalf = instruction.format == Format::Vop3 && (instruction.opSel & 8) != 0;
  if (toHighHalf && kind.width != 16)
    wave.trap(TrapKind::Unsupported, "op_sel of a 32-bit result");
  bool isPart = instruction.isSdwa && instruction.sdwa.dstSel < 6;
  bool isHalf = kind.width == 16 && !instruction.isSdwa && (toHighHalf || keepsOtherHalf);
  uint32_t kept = 0;
  if (isPart)
    kept = insertPart(~0u, 0, instruction.sdwa);
  else if (isHalf)
    kept = toHighHalf ? 0xffff : 0xffff0000;
  Lanes &lanes = wave.writeVgprPart(instruction.dst - FirstVgpr, kept, written);
  if (!isPart && !isHalf && !instruction.isDpp && kind.width != 16)
    return wave.setLanes(lanes, bits);
  for (unsigned lane = 0; lane < WaveSize; ++lane) {
    uint32_t value = bits[lane];
    if (kind.width == 16)
      value &= 0xffff;
    if (isPart)
      value = insertPart(lanes[lane], value, instruction.sdwa);
    else if (isHalf)
      value = toHighHalf ? (lanes[lane] & 0xffff) | value << 16 : (lanes[lane] & 0xffff0000) | value;
    lanes[lane] = (written >> lane & 1) != 0 ? value : lanes[lane];
  }
}

void writeLanes(Wave &wave, const Instruction &instruction, const WideLanes &bits) {
  const Lanes masks = laneMasks(writtenLanes(wave, instruction));
  for (unsigned half = 0; half < 2; ++half) {
    Lanes &lanes = wave.writeVgpr(instruction.dst - FirstVgpr + half);
    for (unsigned lane = 0; lane < WaveSize; ++lane)
      lanes[lane] = (uint32_t(bits[lane] >> 32 * half) & masks[lane]) | (lanes[lane] & ~masks[lane]);
  }
}

} // namespace dovetail::emulator
