// SPDX-License-Identifier: MIT
//
// The names of the codes are those of AMD's public register headers (SPI_PNT_SPRITE_SEL_*).
// What the fields do: Mesa, offset_to_ps_input and radv_pipeline_emit_ps_inputs; LLPC, Gfx9ConfigBuilder.cpp. How
// differences of halves are rounded is not documented (docs/hardware-facts.md).
#include "tools/proof/emulator/draw/raster/fragment_parameters.h"
#include "src/abi/registers/registers.h"
#include "tools/proof/emulator/draw/command/program_registers.h"
#include "tools/proof/emulator/numerics/half.h"
#include <bit>

namespace dovetail::emulator {

namespace {

constexpr uint32_t DefaultInput = 0x20; // OFFSET: no parameter
constexpr unsigned Channels = 4;

// DEFAULT_VAL: the first three channels, and the last one (Mesa, AC_EXP_PARAM_DEFAULT_VAL_0000 to 1111).
constexpr float DefaultValues[4][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};

enum SpriteSelect : uint32_t { SelectZero, SelectOne, SelectS, SelectT, SelectNone };

uint32_t asBits(float value) {
  return std::bit_cast<uint32_t>(value);
}

uint32_t floatDifference(uint32_t value, uint32_t from) {
  return asBits(std::bit_cast<float>(value) - std::bit_cast<float>(from));
}

// The difference of both halves, each of which is an attribute of its own.
uint32_t halfDifference(uint32_t value, uint32_t from) {
  auto half = [&](unsigned shift) {
    const double difference = fromHalf(uint16_t(value >> shift)) - fromHalf(uint16_t(from >> shift));
    return uint32_t(toHalf(difference, Rounding::NearestEven)) << shift;
  };
  return half(0) | half(16);
}

// Halves without their VALID bit become NaNs, so that a picture shows it if code reads one.
FragmentParameters::Channel withoutInvalidHalves(FragmentParameters::Channel value, uint32_t control) {
  using field::SPI_PS_INPUT_CNTL_0::ATTR0_VALID, field::SPI_PS_INPUT_CNTL_0::ATTR1_VALID;
  constexpr uint32_t NotANumber = 0x7e00;
  const uint32_t invalid =
      (ATTR0_VALID.get(control) ? 0 : NotANumber) | (ATTR1_VALID.get(control) ? 0 : NotANumber << 16);
  return {value.p0 | invalid, value.p10, value.p20};
}

// The corners' values as they are. Lines and points lack corners; nothing documents the values there: 0.
FragmentParameters::Channel vertexValues(std::span<const ShadedVertex *const> corners, unsigned parameter,
                                         unsigned channel) {
  auto value = [&](size_t corner) {
    return corner < corners.size() ? corners[corner]->parameters[parameter][channel] : 0u;
  };
  return {value(0), value(1), value(2)};
}

// P10 and P20 are differences of the corners' values. Lines and points lack corners: no difference.
FragmentParameters::Channel gradients(std::span<const ShadedVertex *const> corners, unsigned parameter,
                                      unsigned channel, bool areHalves) {
  FragmentParameters::Channel result;
  result.p0 = corners[0]->parameters[parameter][channel];
  auto difference = [&](size_t corner) {
    if (corner >= corners.size())
      return 0u;
    const uint32_t value = corners[corner]->parameters[parameter][channel];
    return areHalves ? halfDifference(value, result.p0) : floatDifference(value, result.p0);
  };
  result.p10 = difference(1);
  result.p20 = difference(2);
  return result;
}

// A point's i is s, and its j is t or, from below, 1 - t. False: the channel is not replaced.
bool replaceBySprite(uint32_t select, bool isFromBelow, FragmentParameters::Channel &channel) {
  switch (select) {
  case SelectZero:
    channel = {};
    return true;
  case SelectOne:
    channel = {asBits(1), 0, 0};
    return true;
  case SelectS:
    channel = {0, asBits(1), 0};
    return true;
  case SelectT:
    channel = isFromBelow ? FragmentParameters::Channel{asBits(1), 0, asBits(-1)}
                          : FragmentParameters::Channel{0, 0, asBits(1)};
    return true;
  default:
    return false;
  }
}

} // namespace

Result<ParameterRouting> ParameterRouting::make(const HardwareRegisters &registers) {
  using namespace field;
  constexpr uint32_t Known = SPI_PS_INPUT_CNTL_0::OFFSET.mask() | SPI_PS_INPUT_CNTL_0::DEFAULT_VAL.mask() |
                             SPI_PS_INPUT_CNTL_0::FLAT_SHADE.mask() | SPI_PS_INPUT_CNTL_0::PT_SPRITE_TEX.mask() |
                             SPI_PS_INPUT_CNTL_0::FP16_INTERP_MODE.mask() | SPI_PS_INPUT_CNTL_0::ATTR0_VALID.mask() |
                             SPI_PS_INPUT_CNTL_0::ATTR1_VALID.mask();
  ParameterRouting routing;
  const unsigned count = SPI_PS_IN_CONTROL::NUM_INTERP.get(registerValue(registers, reg::SPI_PS_IN_CONTROL));
  for (unsigned i = 0; i < count; ++i) {
    uint32_t control = registerValue(registers, reg::SPI_PS_INPUT_CNTL_0 + i);
    if ((control & ~Known) != 0)
      return makeError(ErrorCode::Unsupported, "{} = {:#x} has fields that are not modelled",
                       registerName(reg::SPI_PS_INPUT_CNTL_0 + i), control);
    routing.m_controls.push_back(control);
  }
  routing.m_interpolation = registerValue(registers, reg::SPI_INTERP_CONTROL_0);
  return routing;
}

Result<std::vector<FragmentParameters::Attribute>> ParameterRouting::route(std::span<const ShadedVertex *const> corners,
                                                                           unsigned provoking) const {
  using namespace field;
  const bool isPoint = corners.size() == 1;
  const bool flatEnabled = SPI_INTERP_CONTROL_0::FLAT_SHADE_ENA.get(m_interpolation) != 0;
  const bool spritesEnabled = SPI_INTERP_CONTROL_0::PNT_SPRITE_ENA.get(m_interpolation) != 0;
  const bool isFromBelow = SPI_INTERP_CONTROL_0::PNT_SPRITE_TOP_1.get(m_interpolation) != 0;
  const uint32_t spriteSelect[Channels] = {SPI_INTERP_CONTROL_0::PNT_SPRITE_OVRD_X.get(m_interpolation),
                                           SPI_INTERP_CONTROL_0::PNT_SPRITE_OVRD_Y.get(m_interpolation),
                                           SPI_INTERP_CONTROL_0::PNT_SPRITE_OVRD_Z.get(m_interpolation),
                                           SPI_INTERP_CONTROL_0::PNT_SPRITE_OVRD_W.get(m_interpolation)};

  std::vector<FragmentParameters::Attribute> attributes(m_controls.size());
  for (size_t i = 0; i < m_controls.size(); ++i) {
    const uint32_t control = m_controls[i];
    const uint32_t offset = SPI_PS_INPUT_CNTL_0::OFFSET.get(control), parameter = offset & ~DefaultInput;
    const bool isFlat = flatEnabled && SPI_PS_INPUT_CNTL_0::FLAT_SHADE.get(control) != 0;
    // With FLAT_SHADE, the bit passes the parameter cache through (Mesa's offset_to_ps_input()).
    const bool hasBit = (offset & DefaultInput) != 0;
    const bool isDefault = hasBit && !isFlat, isPassedThrough = hasBit && isFlat;
    const bool areHalves = SPI_PS_INPUT_CNTL_0::FP16_INTERP_MODE.get(control) != 0;
    const bool isSprite = isPoint && spritesEnabled && SPI_PS_INPUT_CNTL_0::PT_SPRITE_TEX.get(control) != 0;
    const float *defaults = DefaultValues[SPI_PS_INPUT_CNTL_0::DEFAULT_VAL.get(control)];
    if (!isDefault)
      for (const ShadedVertex *corner : corners)
        if (parameter >= corner->parameters.size() || (corner->exportedParameters >> parameter & 1) == 0)
          return makeError(ErrorCode::CheckFailed, "vertex shader: {}: attribute {} is param{}, which was not exported",
                           toString(TrapKind::BadExport), i, parameter);
    for (unsigned channel = 0; channel < Channels; ++channel) {
      FragmentParameters::Channel &value = attributes[i][channel];
      if (isSprite && replaceBySprite(spriteSelect[channel], isFromBelow, value))
        continue;
      if (isDefault)
        value = {asBits(defaults[channel == Channels - 1]), 0, 0};
      else if (isPassedThrough)
        value = vertexValues(corners, parameter, channel);
      else if (isFlat)
        value = {corners[provoking]->parameters[parameter][channel], 0, 0};
      else
        value = gradients(corners, parameter, channel, areHalves);
      if (areHalves && !isFlat)
        value = withoutInvalidHalves(value, control);
    }
  }
  return attributes;
}

} // namespace dovetail::emulator
