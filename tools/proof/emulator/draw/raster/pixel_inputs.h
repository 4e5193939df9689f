// SPDX-License-Identifier: MIT
//
// Makes the VGPRs with which the hardware starts a pixel wave.
#pragma once

#include "tools/proof/emulator/draw/raster/fragment_parameters.h"
#include "tools/proof/emulator/draw/raster/interpolants.h"
#include "tools/proof/emulator/draw/raster/rasterise.h"
#include <memory>

namespace dovetail::emulator {

constexpr unsigned QuadsPerWave = WaveSize / 4;

struct PixelPrimitive {
  Interpolants interpolants;
  std::vector<FragmentParameters::Attribute> parameters;
  bool isFront = true;
  uint32_t layer = 0;
  float minDepth = 0, maxDepth = 1; // of the viewport
};

// Four lanes of a pixel wave.
struct PixelQuad {
  std::shared_ptr<const PixelPrimitive> primitive;
  int x = 0, y = 0;
  std::array<uint8_t, 4> covered = {}; // samples that the primitive covers
  std::array<uint8_t, 4> live = {};    // covered samples that this invocation shades
  uint8_t sample = 0;
  bool isPerSample = false; // the invocation shades `sample` only

  int pixelX(unsigned pixel) const { return x + int(pixel % 2); }
  int pixelY(unsigned pixel) const { return y + int(pixel / 2); }
};

// Whether the hardware leaves out the centroids of a wave: center and centroid are both enabled, and all pixels are
// covered as a whole, so their weights are the same. PRIM_MASK[31] says so (Mesa, si_shader_llvm_ps.c,
// si_llvm_build_ps_prolog).
bool leavesOutCentroids(const HardwareRegisters &registers, const Grid &grid, std::span<const PixelQuad> quads);

// The VGPRs that SPI_PS_INPUT_ADDR reserves. VGPRs in SPI_PS_INPUT_ENA have values in all four lanes of each quad;
// centroids that are left out have a value that is no number. Errors: Unsupported for a front face that is not all
// bits.
Result<std::vector<std::optional<Lanes>>> makePixelInputs(const HardwareRegisters &registers, const Grid &grid,
                                                          std::span<const PixelQuad> quads);

} // namespace dovetail::emulator
