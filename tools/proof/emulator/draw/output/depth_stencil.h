// SPDX-License-Identifier: MIT
//
// The depth and stencil tests of one sample, and the time at which they happen.
#pragma once

#include "tools/proof/emulator/draw/command/draw_command.h"
#include "tools/proof/emulator/draw/output/targets.h"
#include "tools/proof/emulator/draw/raster/pixel_inputs.h"
#include <optional>

namespace dovetail::emulator {

class DepthStencilTest {
public:
  DepthStencilTest(const Scene &scene, const HardwareRegisters &registers);

  // True: only before the pixel shader runs. False: only after it.
  bool isEarly() const { return m_isEarly; }

  // Whether the sample is drawn; writes depth and stencil. `depth` is interpolated or exported; `stencil` is the
  // exported reference, if there is one.
  bool test(Targets &targets, const SamplePlace &place, const PixelPrimitive &primitive, float depth,
            std::optional<uint8_t> stencil) const;

private:
  const Scene &m_scene;
  bool m_isEarly = true;
};

} // namespace dovetail::emulator
