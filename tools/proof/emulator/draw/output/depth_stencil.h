// SPDX-License-Identifier: MIT
//
// The depth and stencil tests of one sample, and when they happen.
#pragma once

#include "tools/proof/emulator/draw/command/draw_command.h"
#include "tools/proof/emulator/draw/output/targets.h"
#include <optional>

namespace dovetail::emulator {

class DepthStencilTest {
public:
  DepthStencilTest(const Scene &scene, const HardwareRegisters &registers);

  // Before the pixel shader runs, and only then; otherwise after it.
  bool isEarly() const { return m_isEarly; }

  // Whether the sample is drawn; writes depth and stencil. `depth` is the interpolated or exported one, `stencil` an
  // exported reference.
  bool test(Targets &targets, const SamplePlace &place, float depth, float minDepth, float maxDepth,
            std::optional<uint8_t> stencil) const;

private:
  const Scene &m_scene;
  bool m_isEarly = true;
};

} // namespace dovetail::emulator
