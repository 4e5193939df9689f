// SPDX-License-Identifier: MIT
//
// Fetches sources, with modifiers in the hardware's order ("Vega" ISA manual, sections 6.2 and 13.3; GPUOpen's "AMD GCN
// Assembly: Cross-Lane Operations" for DPP).
#include "tools/proof/emulator/alu/vector_operand.h"

namespace dovetail::emulator {

namespace {

// Inline constants 240..248 as halves and doubles.
constexpr std::array<uint16_t, 9> InlineHalves = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
                                                  0xc000, 0x4400, 0xc400, 0x3118};

bool isInlineFloat(unsigned source) {
  return source >= InlineHalf && source < InlineHalf + InlineHalves.size();
}

constexpr unsigned LastQuadPerm = 0xff;

// For each lane, the bit of the lane in its quad that `control` selects.
uint64_t permuteQuads(uint64_t bits, unsigned control) {
  constexpr uint64_t FirstLanes = 0x1111'1111'1111'1111;
  uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i)
    result |= (bits >> (control >> i * 2 & 3) & FirstLanes) << i;
  return result;
}

// The lanes from which DPP takes values.
uint64_t readableByDpp(const Wave &wave, const Instruction &instruction) {
  return instruction.dpp.fetchInactive ? ~uint64_t(0) : wave.exec();
}

// Whether the wave's generation has a control.
bool hasDppControl(const Wave &wave, unsigned control) {
  const bool isAcrossRows = (control >= 0x130 && control <= 0x13f) || control == 0x142 || control == 0x143;
  const bool isInRow = control >= 0x150 && control <= 0x16f;
  return wave.facts().movesAcrossRows ? !isInRow : !isAcrossRows;
}

// The lanes that take a value from a lane of their quad that is off. Derivatives do this where an API leaves them
// undefined.
uint64_t takeFromLanesOff(const Wave &wave, const Instruction &instruction) {
  const unsigned control = instruction.dpp.ctrl;
  const bool isPermuted = control <= LastQuadPerm && !instruction.dpp.fetchInactive;
  return isPermuted ? permuteQuads(wave.leftOff(), control) & wave.exec() : 0;
}

// The lanes whose source lane exists and is on: see dppSource().
uint64_t haveDppSource(unsigned control, uint64_t exec) {
  if (control <= LastQuadPerm)
    return permuteQuads(exec, control);
  uint64_t lanes = 0;
  for (unsigned lane = 0; lane < WaveSize; ++lane)
    lanes |= uint64_t(dppSource(control, lane, exec) < WaveSize) << lane;
  return lanes;
}

// The bits of the register that the instruction reads for this source.
uint32_t neededBits(const Instruction &instruction, unsigned index, OperandKind kind) {
  constexpr std::array<uint32_t, 8> Selected = {0xff, 0xff00, 0xff0000, 0xff000000, 0xffff, 0xffff0000, ~0u, ~0u};
  const uint32_t selected = instruction.isSdwa && index < 2 ? Selected[instruction.sdwa.srcSel[index] & 7] : ~0u;
  if (kind.width != 16 || instruction.isSdwa)
    return selected;
  return (instruction.opSel >> index & 1) != 0 ? 0xffff0000 : 0xffff;
}

// A source that is the same in all lanes.
uint32_t uniformBits(Wave &wave, const Instruction &instruction, unsigned index, OperandKind kind) {
  const unsigned source = instruction.src[index];
  bool isHalf = kind.width == 16 || (kind.isPacked && kind.isFloat);
  if (isInlineFloat(source) && isHalf) {
    if (!kind.isFloat)
      wave.trap(TrapKind::Unsupported, "floating-point constant as a 16-bit integer");
    return InlineHalves[source - InlineHalf];
  }
  return wave.scalar(instruction, source, neededBits(instruction, index, kind));
}

void selectSdwa(const SdwaFields &sdwa, unsigned index, Lanes &bits) {
  unsigned select = sdwa.srcSel[index];
  bool extend = sdwa.srcSext[index];
  if (select >= 6)
    return;
  unsigned shift = select < 4 ? select * 8 : (select - 4) * 16;
  for (uint32_t &value : bits) {
    if (select < 4)
      value = extend ? uint32_t(int32_t(int8_t(value >> shift))) : value >> shift & 0xff;
    else
      value = extend ? uint32_t(int32_t(int16_t(value >> shift))) : value >> shift & 0xffff;
  }
}

template <typename Bits> void applySigns(Bits &bits, uint64_t signBit, bool absolute, bool negate) {
  using Word = typename Bits::value_type;
  if (absolute) {
    for (Word &value : bits)
      value &= Word(~signBit);
  }
  if (negate) {
    for (Word &value : bits)
      value ^= Word(signBit);
  }
}

// Only 16-bit operands may use OP_SEL.
void selectHalf(Wave &wave, const Instruction &instruction, unsigned index, OperandKind kind, Lanes &bits) {
  bool high = instruction.format == Format::Vop3 && (instruction.opSel >> index & 1) != 0;
  if (kind.width != 16) {
    if (high)
      wave.trap(TrapKind::Unsupported, "op_sel of a 32-bit operand");
    return;
  }
  for (uint32_t &value : bits)
    value = high ? value >> 16 : value & 0xffff;
}

} // namespace

const Lanes &operandBits(Wave &wave, const Instruction &instruction, unsigned index, OperandKind kind, Lanes &scratch) {
  const unsigned source = instruction.src[index];
  const bool isModified = instruction.isSdwa || instruction.isDpp || instruction.opSel != 0 || instruction.abs[index] ||
                          instruction.neg[index] || kind.width != 32;
  if (source >= FirstVgpr && !isModified)
    return wave.readVgpr(source - FirstVgpr);
  fetchBits(wave, instruction, index, kind, scratch);
  return scratch;
}

void fetchBits(Wave &wave, const Instruction &instruction, unsigned index, OperandKind kind, Lanes &bits) {
  unsigned source = instruction.src[index];
  if (source < FirstVgpr) {
    bits.fill(uniformBits(wave, instruction, index, kind));
  } else {
    const Lanes &lanes = wave.readVgpr(source - FirstVgpr, neededBits(instruction, index, kind));
    if (instruction.isDpp && index == 0) {
      const unsigned control = instruction.dpp.ctrl;
      const uint64_t readable = readableByDpp(wave, instruction);
      if (control <= LastQuadPerm) {
        const Lanes masks = laneMasks(permuteQuads(readable, control));
        for (unsigned lane = 0; lane < WaveSize; ++lane)
          bits[lane] = lanes[(lane & ~3u) | (control >> (lane & 3) * 2 & 3)] & masks[lane];
      } else {
        for (unsigned lane = 0; lane < WaveSize; ++lane) {
          const unsigned from = dppSource(control, lane, readable);
          bits[lane] = from < WaveSize ? lanes[from] : 0;
        }
      }
      for (uint64_t undefined = takeFromLanesOff(wave, instruction); undefined != 0; undefined &= undefined - 1)
        if (wave.undefinedChoices().happens(UndefinedEvent::QuadLanesOff))
          bits[unsigned(std::countr_zero(undefined))] = std::bit_cast<uint32_t>(wave.undefinedChoices().number());
    } else {
      bits = lanes;
    }
  }
  if (instruction.isSdwa && index < 2)
    selectSdwa(instruction.sdwa, index, bits);
  selectHalf(wave, instruction, index, kind, bits);

  bool absolute = instruction.abs[index], negate = instruction.neg[index];
  if ((absolute || negate) && !kind.isFloat)
    wave.trap(TrapKind::Unsupported, "abs or neg of an integer");
  applySigns(bits, kind.width == 16 ? 0x8000 : 0x80000000, absolute, negate);
}

void fetchBits(Wave &wave, const Instruction &instruction, unsigned index, OperandKind kind, WideLanes &bits) {
  unsigned source = instruction.src[index];
  if (instruction.isDpp || instruction.isSdwa || (instruction.format == Format::Vop3 && instruction.opSel != 0))
    wave.trap(TrapKind::Unsupported, "DPP, SDWA or op_sel of a 64-bit operand");
  if (source < FirstVgpr) {
    bool isUnsignedLiteral = source == Literal && !kind.isFloat && !kind.isSigned;
    bits.fill(isUnsignedLiteral ? instruction.literal : wave.scalar64(instruction, source, kind.isFloat));
  } else {
    const Lanes &low = wave.readVgpr(source - FirstVgpr);
    const Lanes &high = wave.readVgpr(source - FirstVgpr + 1);
    for (unsigned lane = 0; lane < WaveSize; ++lane)
      bits[lane] = low[lane] | uint64_t(high[lane]) << 32;
  }
  bool absolute = instruction.abs[index], negate = instruction.neg[index];
  if ((absolute || negate) && !kind.isFloat)
    wave.trap(TrapKind::Unsupported, "abs or neg of an integer");
  applySigns(bits, uint64_t(1) << 63, absolute, negate);
}

unsigned dppSource(unsigned control, unsigned lane, uint64_t exec) {
  unsigned row = lane & ~15u, inRow = lane & 15;
  unsigned amount = control & 15;
  unsigned from = WaveSize + 1;
  if (control <= LastQuadPerm)
    from = (lane & ~3u) | (control >> (lane & 3) * 2 & 3);
  else if (control > 0x100 && control <= 0x10f) // row_shl
    from = inRow + amount < 16 ? lane + amount : WaveSize;
  else if (control > 0x110 && control <= 0x11f) // row_shr
    from = inRow >= amount ? lane - amount : WaveSize;
  else if (control > 0x120 && control <= 0x12f) // row_ror
    from = row | ((inRow - amount) & 15);
  else if (control == 0x130) // wave_shl:1
    from = lane + 1;
  else if (control == 0x134) // wave_rol:1
    from = (lane + 1) % WaveSize;
  else if (control == 0x138) // wave_shr:1
    from = lane == 0 ? WaveSize : lane - 1;
  else if (control == 0x13c) // wave_ror:1
    from = (lane + WaveSize - 1) % WaveSize;
  else if (control == 0x140) // row_mirror
    from = row | (15 - inRow);
  else if (control == 0x141) // row_half_mirror
    from = (lane & ~7u) | (7 - (lane & 7));
  else if (control == 0x142) // row_bcast:15, the last lane of the row before
    from = row == 0 ? WaveSize : row - 1;
  else if (control == 0x143) // row_bcast:31, for the upper half of the wave
    from = lane < 32 ? WaveSize : 31;
  else if (control >= 0x150 && control <= 0x15f) // row_share: one lane of the row for all
    from = row | amount;
  else if (control >= 0x160 && control <= 0x16f) // row_xmask
    from = row | (inRow ^ amount);
  else if ((control & Dpp8Control) != 0)
    from = (lane & ~7u) | (control >> (lane & 7) * 3 & 7);
  if (from < WaveSize && (exec >> from & 1) == 0)
    return WaveSize;
  return from;
}

uint64_t writtenByDpp(Wave &wave, const Instruction &instruction) {
  const uint64_t exec = wave.exec(), readable = readableByDpp(wave, instruction);
  const DppFields &dpp = instruction.dpp;
  if (dppSource(dpp.ctrl, 0, readable) > WaveSize || !hasDppControl(wave, dpp.ctrl))
    wave.trap(TrapKind::Unsupported, "DPP control {:#x}", dpp.ctrl);
  uint64_t valid = dpp.boundCtrl ? ~uint64_t(0) : haveDppSource(dpp.ctrl, readable);
  if (wave.undefinedChoices().isOn())
    valid |= takeFromLanesOff(wave, instruction);
  constexpr unsigned LanesPerRow = 16, LanesPerBank = 4;
  uint64_t enabled = 0;
  for (unsigned bank = 0; bank < WaveSize / LanesPerBank; ++bank)
    if ((dpp.rowMask >> bank * LanesPerBank / LanesPerRow & 1) != 0 && (dpp.bankMask >> bank % 4 & 1) != 0)
      enabled |= uint64_t(0xf) << bank * LanesPerBank;
  return valid & enabled & exec;
}

} // namespace dovetail::emulator
