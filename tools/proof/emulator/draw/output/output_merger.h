// SPDX-License-Identifier: MIT
//
// Output merger: what happens to a shaded pixel until it is in the targets: coverage from the shader's mask and alpha,
// late tests, blending, writing.
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

  // Takes samples that fail the tests out of the quad, if tests come early. False: none is left.
  bool testEarly(PixelQuad &quad) const;
  // One pixel of a quad.
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
