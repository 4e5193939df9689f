// SPDX-License-Identifier: MIT
//
// The hardware numbers exported colours without gaps. SPI_SHADER_COL_FORMAT has the format of MRT 0, 1, 2, …;
// CB_SHADER_MASK has components for their targets, in the same order. In compressed exports each register holds two
// components. Sources: AMD's public register headers (SPI_SHADER_EX_FORMAT) for the formats; Mesa's export_fs_mrt_color
// and export_fs_mrt_z (aco_instruction_selection.cpp) for the places of components.
#include "tools/proof/emulator/draw/output/pixel_exports.h"
#include "src/abi/registers/registers.h"
#include "src/state/format_table.h"
#include "tools/proof/emulator/draw/command/program_registers.h"
#include <algorithm>
#include <bit>

namespace dovetail::emulator {

namespace {

// Export targets, "Vega" ISA manual, section 13.9.1.
constexpr unsigned MrtCount = 8, MrtzTarget = 8, NullTarget = 9;

template <typename... Args> tl::unexpected<Error> bad(fmt::format_string<Args...> format, Args &&...args) {
  return makeError(ErrorCode::CheckFailed, "pixel shader: {}: {}", toString(TrapKind::BadExport),
                   fmt::format(format, std::forward<Args>(args)...));
}

uint32_t asBits(float value) {
  return std::bit_cast<uint32_t>(value);
}

// A component of a compressed export: f32 bits, or an integer.
uint32_t widen(ExportFormat format, uint16_t half) {
  switch (format) {
  case ExportFormat::Fp16Abgr:
    return widenHalf(half);
  case ExportFormat::Unorm16Abgr:
    return asBits(float(half) / 65535.0f);
  case ExportFormat::Snorm16Abgr:
    return asBits(std::max(float(int16_t(half)) / 32767.0f, -1.0f));
  case ExportFormat::Sint16Abgr:
    return uint32_t(int32_t(int16_t(half)));
  default:
    return half;
  }
}

// Red, green, blue, alpha. Components that the format lacks are 0.
TexelValue decodeColor(ExportFormat format, const std::array<Lanes, 4> &data, unsigned lane) {
  TexelValue value = {};
  if (isCompressed(format)) {
    for (unsigned i = 0; i < 4; ++i)
      value[i] = widen(format, uint16_t(data[i / 2][lane] >> 16 * (i % 2)));
    return value;
  }
  for (unsigned i = 0; i < 4; ++i)
    if ((exportedComponents(format) >> i & 1) != 0)
      value[i] = data[i][lane];
  return value;
}

} // namespace

Result<PixelExportLayout> PixelExportLayout::make(const HardwareRegisters &registers) {
  using namespace field::DB_SHADER_CONTROL;
  PixelExportLayout layout;
  const uint32_t formats = registerValue(registers, reg::SPI_SHADER_COL_FORMAT);
  const uint32_t control = registerValue(registers, reg::DB_SHADER_CONTROL);
  layout.colorMask = registerValue(registers, reg::CB_SHADER_MASK);
  layout.depthFormat = uint8_t(registerValue(registers, reg::SPI_SHADER_Z_FORMAT));
  layout.hasDepth = Z_EXPORT_ENABLE.get(control) != 0;
  layout.hasStencil = STENCIL_TEST_VAL_EXPORT_ENABLE.get(control) != 0;
  layout.hasMask = MASK_EXPORT_ENABLE.get(control) != 0;
  layout.canKill = KILL_ENABLE.get(control) != 0;

  unsigned target = 0;
  for (unsigned mrt = 0; mrt < MrtCount && formats >> 4 * mrt != 0; ++mrt) {
    Slot &slot = layout.colors.emplace_back();
    slot.format = uint8_t(formats >> 4 * mrt & 0xf);
    if (slot.format > uint8_t(ExportFormat::Abgr32))
      return makeError(ErrorCode::Unsupported, "export format {} of MRT {}", slot.format, mrt);
    if (slot.format == 0)
      continue;
    while (target < MaxColorTargets && (layout.colorMask >> 4 * target & 0xf) == 0)
      ++target;
    if (target < MaxColorTargets)
      slot.target = uint8_t(target++);
  }

  const auto depthFormat = ExportFormat(layout.depthFormat);
  const bool announced = layout.hasDepth || layout.hasStencil || layout.hasMask;
  if (announced && depthFormat == ExportFormat::Zero)
    return bad("DB_SHADER_CONTROL {:#x} wants an MRTZ export, but SPI_SHADER_Z_FORMAT has none", control);
  if (depthFormat != ExportFormat::Zero && depthFormat != ExportFormat::R32 && depthFormat != ExportFormat::Gr32 &&
      depthFormat != ExportFormat::Abgr32 && depthFormat != ExportFormat::Uint16Abgr)
    return makeError(ErrorCode::Unsupported, "export format {} of MRTZ", layout.depthFormat);
  return layout;
}

void PixelExports::merge(const Export &exported, Vector &vector) {
  vector.lanes |= exported.exec;
  const Lanes masks = laneMasks(exported.exec);
  for (unsigned i = 0; i < vector.data.size(); ++i) {
    // Compressed: two bits of EN for each of the two registers.
    const unsigned enabled = exported.compressed ? exported.enable >> 2 * i & 3 : exported.enable >> i & 1;
    for (unsigned lane = 0; enabled != 0 && lane < WaveSize; ++lane)
      vector.data[i][lane] = (exported.data[i][lane] & masks[lane]) | (vector.data[i][lane] & ~masks[lane]);
  }
}

Result<PixelExports> PixelExports::collect(const PixelExportLayout &layout, const Wave &wave, uint64_t launched) {
  PixelExports result;
  result.m_layout = &layout;
  result.m_colors.resize(layout.colors.size());
  for (const Export &exported : wave.exports) {
    if (exported.target < MrtCount) {
      const auto format = exported.target < layout.colors.size() ? ExportFormat(layout.colors[exported.target].format)
                                                                 : ExportFormat::Zero;
      if (format == ExportFormat::Zero)
        return bad("MRT {} is exported, but SPI_SHADER_COL_FORMAT has no format for it", exported.target);
      if (isCompressed(format) != exported.compressed)
        return bad("MRT {} is exported {}compressed, but its format is {}", exported.target,
                   exported.compressed ? "" : "un", toString(format));
      merge(exported, result.m_colors[exported.target]);
    } else if (exported.target == MrtzTarget) {
      const auto format = ExportFormat(layout.depthFormat);
      if (format == ExportFormat::Zero)
        return bad("MRTZ is exported, but SPI_SHADER_Z_FORMAT has no format for it");
      if (isCompressed(format) != exported.compressed)
        return bad("MRTZ is exported {}compressed, but its format is {}", exported.compressed ? "" : "un",
                   toString(format));
      merge(exported, result.m_depth);
    } else if (exported.target != NullTarget) {
      return bad("a pixel shader has no export target {}", exported.target);
    }
    if (exported.done && !exported.validMask)
      return bad("the done export has no valid mask");
    if (exported.done)
      result.m_alive = exported.exec & launched;
  }

  if (result.m_alive != launched && !layout.canKill)
    return bad("pixels {:#x} were killed, but DB_SHADER_CONTROL does not have KILL_ENABLE", launched & ~result.m_alive);
  for (unsigned mrt = 0; mrt < layout.colors.size(); ++mrt)
    if (layout.colors[mrt].target && (result.m_alive & ~result.m_colors[mrt].lanes) != 0)
      return bad("SPI_SHADER_COL_FORMAT and CB_SHADER_MASK announce MRT {}, which not every living pixel exports", mrt);
  if (layout.depthFormat != 0 && (result.m_alive & ~result.m_depth.lanes) != 0)
    return bad("SPI_SHADER_Z_FORMAT announces MRTZ, which not every living pixel exports");
  return result;
}

PixelOutput PixelExports::output(unsigned lane) const {
  PixelOutput output;
  for (unsigned mrt = 0; mrt < m_colors.size(); ++mrt) {
    const PixelExportLayout::Slot &slot = m_layout->colors[mrt];
    if (slot.format == 0 || (m_colors[mrt].lanes >> lane & 1) == 0)
      continue;
    TexelValue value = decodeColor(ExportFormat(slot.format), m_colors[mrt].data, lane);
    if (mrt == 0)
      output.alpha = std::bit_cast<float>(value[3]);
    if (slot.target)
      output.setColor(*slot.target, value);
  }
  // X depth, Y stencil, Z sample mask; 16 bits: X[23:16] stencil, Y[15:0] sample mask.
  const uint32_t x = m_depth.data[0][lane], y = m_depth.data[1][lane], z = m_depth.data[2][lane];
  const bool isShort = ExportFormat(m_layout->depthFormat) == ExportFormat::Uint16Abgr;
  if (m_layout->hasDepth)
    output.depth = std::bit_cast<float>(x);
  if (m_layout->hasStencil)
    output.stencil = uint8_t(isShort ? x >> 16 : y);
  if (m_layout->hasMask)
    output.sampleMask = isShort ? y & 0xffff : z;
  return output;
}

} // namespace dovetail::emulator
