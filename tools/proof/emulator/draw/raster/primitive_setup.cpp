// SPDX-License-Identifier: MIT
//
// A line is the rectangle of width 1 around it (Vulkan's strict lines, and the reference's default); a point is the
// square of its size. Sources for both, and for their rounding: the Vulkan specification, "Line Segment Rasterization"
// and "Basic Point Rasterization", and Mesa's lp_setup_line.c and lp_setup_point.c.
// docs/hardware-facts.md lists the assumptions.
#include "tools/proof/emulator/draw/raster/primitive_setup.h"
#include <algorithm>
#include <cmath>

namespace dovetail::emulator {

namespace {

constexpr float LineWidth = 1, MaxPointSize = 255;

// A corner at the origin of clip space passes all clipping but has no place in the window. The reference draws nothing
// then.
bool isInWindow(const WindowVertex &corner) {
  return std::isfinite(corner.x) && std::isfinite(corner.y) && std::isfinite(corner.inverseW);
}

} // namespace

SetupPrimitive setUpTriangle(const Grid &grid, const SetupState &state, std::span<const WindowVertex, 3> corners) {
  SetupPrimitive result;
  if (!std::ranges::all_of(corners, isInWindow))
    return result;
  for (const WindowVertex &corner : corners)
    result.polygon.push_back({grid.snap(corner.x), grid.snap(corner.y)});
  const int64_t area = signedArea(result.polygon);
  const bool isCounterClockwise = area < 0;
  result.isFront = isCounterClockwise == (state.frontFace == VK_FRONT_FACE_COUNTER_CLOCKWISE);
  if (area == 0 || (state.cullMode & (result.isFront ? VK_CULL_MODE_FRONT_BIT : VK_CULL_MODE_BACK_BIT)) != 0)
    result.polygon.clear();
  result.interpolants = interpolateTriangle(corners);
  return result;
}

SetupPrimitive setUpLine(const Grid &grid, const WindowVertex &begin, const WindowVertex &end) {
  SetupPrimitive result;
  const float dx = begin.x - end.x, dy = begin.y - end.y;
  const float squaredLength = dx * dx + dy * dy;
  if (squaredLength == 0 || !std::isfinite(squaredLength))
    return result;
  const float scale = LineWidth * 0.5f / std::sqrt(squaredLength);
  const int64_t acrossX = Grid::snapLength(-dy * scale), acrossY = Grid::snapLength(dx * scale);
  const int64_t x0 = grid.snapOutwards(begin.x), y0 = grid.snapOutwards(begin.y);
  const int64_t x1 = grid.snapOutwards(end.x), y1 = grid.snapOutwards(end.y);
  result.polygon = {{x0 - acrossX, y0 - acrossY},
                    {x1 - acrossX, y1 - acrossY},
                    {x1 + acrossX, y1 + acrossY},
                    {x0 + acrossX, y0 + acrossY}};
  result.interpolants = interpolateLine(begin, end);
  return result;
}

SetupPrimitive setUpPoint(const Grid &grid, const WindowVertex &point, float size) {
  SetupPrimitive result;
  const int64_t width = std::max<int64_t>(Grid::snapLength(std::min(size, MaxPointSize)), Subpixels);
  const int64_t x = grid.snapOutwards(point.x) - width / 2, y = grid.snapOutwards(point.y) - width / 2;
  result.polygon = {{x, y}, {x + width, y}, {x + width, y + width}, {x, y + width}};
  result.interpolants = interpolatePoint(point, float(width) / Subpixels);
  return result;
}

} // namespace dovetail::emulator
