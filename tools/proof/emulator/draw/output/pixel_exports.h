// SPDX-License-Identifier: MIT
//
// Decodes the exports of a pixel wave: colours with their targets, depth, stencil, sample mask, and the pixels that are
// alive.
#pragma once

#include "tools/proof/emulator/draw/command/draw_command.h"
#include "tools/proof/scene/texel.h"
#include <optional>

namespace dovetail::emulator {

struct PixelOutput {
  // By API target.
  bool hasColor(unsigned target) const { return (written >> target & 1) != 0; }
  void setColor(unsigned target, const TexelValue &value) {
    colors[target] = value;
    written |= 1u << target;
  }
  std::array<TexelValue, MaxColorTargets> colors; // valid for the targets in `written`
  uint32_t written = 0;
  std::optional<float> depth;
  std::optional<uint8_t> stencil;
  std::optional<uint32_t> sampleMask;
  std::optional<float> alpha; // of the first export, for coverage
};

// Registers that tell how to read exports: SPI_SHADER_COL_FORMAT, SPI_SHADER_Z_FORMAT, CB_SHADER_MASK,
// DB_SHADER_CONTROL.
class PixelExportLayout {
public:
  // Errors: Unsupported for an export format that is not modelled; CheckFailed with BadExport's text if the registers
  // contradict each other.
  static Result<PixelExportLayout> make(const HardwareRegisters &registers);

  struct Slot {
    uint8_t format = 0;
    std::optional<uint8_t> target; // of the API
  };

  std::vector<Slot> colors; // by hardware MRT, up to the last with a format
  uint8_t depthFormat = 0;
  bool hasDepth = false, hasStencil = false, hasMask = false, canKill = false;
  uint32_t colorMask = 0; // CB_SHADER_MASK
};

// The exports of one wave.
class PixelExports {
public:
  // `launched`: the pixels for which the wave was started. Errors: CheckFailed with BadExport's text.
  static Result<PixelExports> collect(const PixelExportLayout &layout, const Wave &wave, uint64_t launched);

  bool isAlive(unsigned lane) const { return (m_alive >> lane & 1) != 0; }
  PixelOutput output(unsigned lane) const;

private:
  struct Vector {
    uint64_t lanes = 0;
    std::array<Lanes, 4> data = {};
  };
  static void merge(const Export &exported, Vector &vector);

  const PixelExportLayout *m_layout = nullptr;
  uint64_t m_alive = 0;
  std::vector<Vector> m_colors;
  Vector m_depth;
};

} // namespace dovetail::emulator
