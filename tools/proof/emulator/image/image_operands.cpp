// SPDX-License-Identifier: MIT
//
// GFX9 packs two 16-bit texel components into a register; GFX8 (before gfx810) gives each a register of its own.
//
// For the rounding to halves see unknownRounding().
#include "tools/proof/emulator/image/image_operands.h"
#include "tools/proof/emulator/numerics/half.h"

namespace dovetail::emulator {

namespace {

bool packsHalves(const Wave &wave) {
  return (uint8_t(wave.chip().instructionSet) & UnpackedD16) == 0;
}

uint32_t widened(uint32_t half, bool isFloat) {
  half &= 0xffff;
  return isFloat ? std::bit_cast<uint32_t>(float(fromHalf(uint16_t(half)))) : half;
}

uint32_t narrowed(uint32_t value, bool isFloat) {
  return isFloat ? toHalf(std::bit_cast<float>(value), unknownRounding(value)) : value & 0xffff;
}

Lanes widened(const Lanes &source, unsigned shift, bool isFloat) {
  Lanes lanes;
  for (unsigned lane = 0; lane != WaveSize; ++lane)
    lanes[lane] = widened(source[lane] >> shift, isFloat);
  return lanes;
}

} // namespace

const Lanes &AddressOperands::last() {
  const unsigned index = m_count - 1;
  if (m_instruction.vaddrCount == 0)
    return m_wave.readVgpr(m_instruction.vaddr + index);
  if (index >= m_instruction.vaddrCount)
    m_wave.trap(TrapKind::Unsupported, "an address of more than {} registers", m_instruction.vaddrCount);
  return m_wave.readVgpr(m_instruction.vaddrs[std::min<size_t>(index, m_instruction.vaddrs.size() - 1)]);
}

Lanes AddressOperands::single(bool isFloat) {
  const Lanes &source = dword();
  return m_isPacked ? widened(source, 0, isFloat) : source;
}

void AddressOperands::readGroup(std::span<Lanes> values, bool isFloat) {
  for (size_t i = 0; i != values.size(); ++i) {
    if (!m_isPacked)
      values[i] = dword();
    else if (i % 2 == 0)
      values[i] = widened(dword(), 0, isFloat);
    else
      values[i] = widened(last(), 16, isFloat);
  }
}

CoordinateCount coordinateCount(const ImageView &image, const Instruction &instruction) {
  switch (image.descriptor().type) {
  case ImageType::Dim1D:
  case ImageType::Array1D:
    return {1, instruction.da};
  case ImageType::Dim3D:
    return {3, false};
  case ImageType::Cube:
    return {2, true};
  default:
    return {2, instruction.da};
  }
}

void writeTexels(Wave &wave, const Instruction &instruction, const std::array<Lanes, 4> &components, unsigned mask,
                 bool isFloat, const Lanes &status) {
  bool isPacked = instruction.d16 && packsHalves(wave);
  unsigned written = 0;
  for (unsigned i = 0; i != 4; ++i) {
    if (!(mask >> i & 1))
      continue;
    bool isHigh = isPacked && written % 2 == 1;
    Lanes &result = wave.writeVgpr(instruction.vdata + (isPacked ? written / 2 : written));
    ++written;
    if (!instruction.d16) {
      wave.setLanes(result, components[i]);
      continue;
    }
    forEachLaneOn(wave, [&](unsigned lane) {
      const uint32_t value = narrowed(components[i][lane], isFloat);
      result[lane] = isHigh ? result[lane] | value << 16 : value;
    });
  }
  unsigned registers = isPacked ? (written + 1) / 2 : written;
  if (instruction.tfe || instruction.lwe) {
    Lanes &result = wave.writeVgpr(instruction.vdata + registers++);
    wave.setLanes(result, status);
  }
  wave.issue(Counter::Vm, {{true, true, instruction.vdata, uint16_t(registers)}});
}

std::array<Lanes, 4> readTexels(Wave &wave, const Instruction &instruction, TexelNumeric numeric) {
  bool isPacked = instruction.d16 && packsHalves(wave);
  bool isFloat = numeric != TexelNumeric::Uint && numeric != TexelNumeric::Sint;
  std::array<Lanes, 4> components = {};
  unsigned read = 0;
  for (unsigned i = 0; i != 4; ++i) {
    if (!(instruction.dmask >> i & 1))
      continue;
    const Lanes &source = wave.readVgpr(instruction.vdata + (isPacked ? read / 2 : read));
    unsigned shift = isPacked && read % 2 == 1 ? 16 : 0;
    components[i] = instruction.d16 ? widened(source, shift, isFloat) : source;
    if (instruction.d16 && numeric == TexelNumeric::Sint)
      for (uint32_t &value : components[i])
        value = uint32_t(int32_t(int16_t(value)));
    ++read;
  }
  return components;
}

} // namespace dovetail::emulator
