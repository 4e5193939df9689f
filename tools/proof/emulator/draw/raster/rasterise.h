// SPDX-License-Identifier: MIT
//
// Rasterisation: which samples of which pixels a primitive covers. Triangles, lines and points all become convex
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

// The grid that vertices are snapped to. With one sample its origin is the centre of the first pixel, otherwise its
// upper left corner: as in the reference, so that rounding agrees.
class Grid {
public:
  explicit Grid(unsigned samples) : m_samples(standardSampleLocations(samples)) {}
  // Without multisampling: the samples of a pixel are all at its centre.
  static Grid centered(unsigned samples) { return Grid(centeredSampleLocations(samples)); }

  // x or y of a triangle's corner. Half a step is rounded to even.
  int64_t snap(float coordinate) const;
  // x or y of a line's end or of a point, and lengths of both. Half a step is rounded away from zero.
  int64_t snapOutwards(float coordinate) const;
  static int64_t snapLength(float length);
  std::span<const SampleLocation> samples() const { return m_samples; }
  // Where a sample of the pixel (0, 0) lies.
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

// Hands over the quads of a convex polygon that have at least one sample inside, row by row. Samples on an edge belong
// to the polygon if it is a left or a top edge.
Result<void> rasterise(const Grid &grid, std::span<const GridPoint> polygon, const PixelRect &region,
                       const QuadSink &sink);

} // namespace dovetail::emulator
