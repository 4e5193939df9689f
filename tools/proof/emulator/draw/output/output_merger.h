// SPDX-License-Identifier: MIT
//
// Output merger: takes a shaded pixel to the targets. It computes coverage from the shader's mask and alpha, tests
// late, blends and writes.
#pragma once

#include "tools/proof/emulator/draw/output/blend.h"
#include "tools/proof/emulator/draw/output/depth_stencil.h"
#include "tools/proof/emulator/draw/output/pixel_exports.h"
#include "tools/proof/emulator/draw/raster/pixel_inputs.h"

namespace dovetail::emulator {

class OutputMerger {
public:
  static Result<OutputMerger> make(const Draw &command, const Grid &grid, Targets &targets);

  const PixelExportLayout &layout() const { return m_layout; }

  // If tests come early, removes samples that fail them from the quad. Returns false if no sample is left.
  bool testEarly(PixelQuad &quad) const;
  // Takes one pixel of a quad to the targets.
  void merge(const PixelQuad &quad, unsigned pixel, const PixelOutput &output) const;

private:
  OutputMerger(const Draw &command, const Grid &grid, Targets &targets, PixelExportLayout layout);

  uint8_t coverageFromAlpha(float alpha) const;
  bool testSample(const PixelQuad &quad, unsigned pixel, unsigned sample, const PixelOutput &output) const;
  void writeColors(const SamplePlace &place, const PixelOutput &output) const;

  const Scene &m_scene;
  const Grid &m_grid;
  Targets &m_targets;
  PixelExportLayout m_layout;
  DepthStencilTest m_test;
  bool m_alphaToMask = false;
};

} // namespace dovetail::emulator
