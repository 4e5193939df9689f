// SPDX-License-Identifier: MIT
//
// Pixel waves: collects quads until sixteen fill a wave, runs the pixel shader for them, and hands the pixels that are
// left to the output merger.
#pragma once

#include "tools/emulator/draw/output/output_merger.h"

namespace dovetail::emulator {

// The parameters of a wave's quads, and the primitive mask by which its program finds them.
FragmentParameters gatherParameters(std::span<const PixelQuad> quads);

class PixelWaves {
public:
  // Errors: those of the pixel shader's registers.
  static Result<PixelWaves> make(Gpu &gpu, const Draw &command, const Grid &grid, const OutputMerger &merger);

  // A quad of a primitive, as rasterised. Quads come in drawing order. Errors: CheckFailed with the text of the first
  // trap of a wave that this fills.
  Result<void> add(const std::shared_ptr<const PixelPrimitive> &primitive, const Quad &quad);
  // Runs what is left.
  Result<void> flush();

private:
  PixelWaves(Gpu &gpu, const Draw &command, const Grid &grid, const OutputMerger &merger)
      : m_gpu(gpu), m_command(command), m_grid(grid), m_merger(merger) {}

  Result<void> addInvocations(PixelQuad quad);

  Gpu &m_gpu;
  const Draw &m_command;
  const Grid &m_grid;
  const OutputMerger &m_merger;
  WaveSetup m_setup; // without what differs from wave to wave
  bool m_hasScratch = false;
  bool m_isPerSample = false;
  std::vector<PixelQuad> m_quads;
};

} // namespace dovetail::emulator
