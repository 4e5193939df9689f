// SPDX-License-Identifier: MIT
//
// Half-plane tests in integers are exact, so polygons that share an edge share no sample and leave no gap.
// The grid: PA_SU_VTX_CNTL (1/256, round to even), as Mesa's si_emit_graphics and LLPC set it. Which samples an edge
// owns: the Vulkan specification, "Polygon Rasterization", and Direct3D's top-left rule.
#include "tools/proof/emulator/draw/raster/rasterise.h"
#include <algorithm>
#include <cmath>

namespace dovetail::emulator {

namespace {

constexpr int SubpixelsPerSixteenth = Subpixels / 16;

// Products of larger coordinates could overflow; all targets are much nearer.
constexpr float FarAway = float(1 << 29);

struct Edge {
  GridPoint from;
  int64_t dx = 0, dy = 0;
  bool ownsBoundary = false;

  Edge(const GridPoint &a, const GridPoint &b) : from(a), dx(b.x - a.x), dy(b.y - a.y) {
    // Clockwise on the screen: a left edge goes up, a top edge goes right.
    ownsBoundary = dy < 0 || (dy == 0 && dx > 0);
  }

  // Not negative: the point is inside.
  int64_t side(const GridPoint &point) const {
    return dx * (point.y - from.y) - dy * (point.x - from.x) - (ownsBoundary ? 0 : 1);
  }
};

// A coordinate in steps of the grid, before rounding.
float inSteps(float value) {
  if (!std::isfinite(value))
    return -FarAway; // outside the picture, like the result of the conversion to an integer
  return std::clamp(value * float(Subpixels), -FarAway, FarAway);
}

// The two roundings of the reference: the CPU's conversion, and util_iround().
int64_t roundToEven(float steps) {
  return std::lrint(steps);
}

int64_t roundOutwards(float steps) {
  return int64_t(steps >= 0 ? steps + 0.5f : steps - 0.5f);
}

int floorToPixel(int64_t coordinate) {
  return int(coordinate >> SubpixelBits);
}

} // namespace

float Grid::fromOrigin(float coordinate) const {
  constexpr float HalfPixel = 0.5f;
  return m_samples.size() == 1 ? coordinate - HalfPixel : coordinate;
}

int64_t Grid::snap(float coordinate) const {
  return roundToEven(inSteps(fromOrigin(coordinate)));
}

int64_t Grid::snapOutwards(float coordinate) const {
  return roundOutwards(inSteps(fromOrigin(coordinate)));
}

int64_t Grid::snapLength(float length) {
  return roundOutwards(inSteps(length));
}

GridPoint Grid::sample(unsigned index) const {
  if (m_samples.size() == 1)
    return {0, 0};
  return {m_samples[index].x * SubpixelsPerSixteenth, m_samples[index].y * SubpixelsPerSixteenth};
}

int64_t signedArea(std::span<const GridPoint> polygon) {
  int64_t area = 0;
  for (size_t i = 0; i < polygon.size(); ++i) {
    const GridPoint &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    area += a.x * b.y - b.x * a.y;
  }
  return area;
}

Result<void> rasterise(const Grid &grid, std::span<const GridPoint> polygon, const PixelRect &region,
                       const QuadSink &sink) {
  const int64_t area = signedArea(polygon);
  if (area == 0 || region.isEmpty())
    return {};
  std::vector<GridPoint> corners(polygon.begin(), polygon.end());
  if (area < 0)
    std::ranges::reverse(corners);

  std::vector<Edge> edges;
  GridPoint low = corners[0], high = corners[0];
  for (size_t i = 0; i < corners.size(); ++i) {
    edges.emplace_back(corners[i], corners[(i + 1) % corners.size()]);
    low = {std::min(low.x, corners[i].x), std::min(low.y, corners[i].y)};
    high = {std::max(high.x, corners[i].x), std::max(high.y, corners[i].y)};
  }
  std::vector<GridPoint> samples;
  for (unsigned i = 0; i < grid.samples().size(); ++i)
    samples.push_back(grid.sample(i));

  const PixelRect bounds = region.intersection(
      {floorToPixel(low.x), floorToPixel(low.y), floorToPixel(high.x) + 1, floorToPixel(high.y) + 1});
  auto coverage = [&](int x, int y) {
    uint8_t mask = 0;
    if (x < bounds.x0 || x >= bounds.x1 || y < bounds.y0 || y >= bounds.y1)
      return mask;
    for (unsigned i = 0; i < samples.size(); ++i) {
      const GridPoint point = {int64_t(x) * Subpixels + samples[i].x, int64_t(y) * Subpixels + samples[i].y};
      int64_t sides = 0; // negative if any is
      for (const Edge &edge : edges)
        sides |= edge.side(point);
      mask |= uint8_t((sides < 0 ? 0 : 1u) << i);
    }
    return mask;
  };
  for (int y = bounds.y0 & ~1; y < bounds.y1; y += 2)
    for (int x = bounds.x0 & ~1; x < bounds.x1; x += 2) {
      Quad quad{x, y, {coverage(x, y), coverage(x + 1, y), coverage(x, y + 1), coverage(x + 1, y + 1)}};
      if (std::ranges::any_of(quad.coverage, [](uint8_t mask) { return mask != 0; }))
        DOVETAIL_CHECK(sink(quad));
    }
  return {};
}

} // namespace dovetail::emulator
