// SPDX-License-Identifier: MIT
//
// Rasterisation: finds the samples of each pixel that a primitive covers. Triangles, lines and points all become convex
// polygons on a grid of 1/256 pixel.
#pragma once

#include "tools/proof/emulator/draw/raster/sample_locations.h"
#include "tools/proof/emulator/draw/raster/viewport.h"
#include <functional>

namespace dovetail::emulator {

constexpr int SubpixelBits = 8, Subpixels = 1 << SubpixelBits;

struct GridPoint {
  int64_t x = 0, y = 0;
};

// The grid to which vertices are snapped. Its origin is the centre of the first pixel if there is one sample, otherwise
// the upper left corner. The reference does the same, so rounding agrees.
class Grid {
public:
  explicit Grid(unsigned samples) : m_samples(standardSampleLocations(samples)) {}
  // Without multisampling: the samples of a pixel are all at its centre.
  static Grid centered(unsigned samples) { return Grid(centeredSampleLocations(samples)); }

  // x or y of a triangle's corner. Half a step is rounded to even.
  int64_t snap(float coordinate) const;
  // x or y of a line's end or of a point, and lengths in both. Half a step is rounded away from zero.
  int64_t snapOutwards(float coordinate) const;
  static int64_t snapLength(float length);
  std::span<const SampleLocation> samples() const { return m_samples; }
  // The place of a sample in the pixel (0, 0).
  GridPoint sample(unsigned index) const;

private:
  explicit Grid(std::span<const SampleLocation> samples) : m_samples(samples) {}
  float fromOrigin(float coordinate) const;

  std::span<const SampleLocation> m_samples;
};

// Four pixels: (x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1). x and y are even.
struct Quad {
  int x = 0, y = 0;
  std::array<uint8_t, 4> coverage = {}; // a bit for each sample
};

using QuadSink = std::function<Result<void>(const Quad &)>;

// Twice the signed area; positive if the corners go clockwise as seen on the screen (y points down).
int64_t signedArea(std::span<const GridPoint> polygon);

// Hands over, row by row, the quads of a convex polygon with at least one sample inside. Samples on a left or top edge
// belong to the polygon.
Result<void> rasterise(const Grid &grid, std::span<const GridPoint> polygon, const PixelRect &region,
                       const QuadSink &sink);

} // namespace dovetail::emulator
