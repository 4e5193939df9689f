// SPDX-License-Identifier: MIT
//
// A line is the rectangle of its width around it (Vulkan's strict lines, and the reference's default). A Bresenham line
// of width n is n pixels wide across its longer axis, and its pixels are those whose diamonds it leaves.
// Sources: the Vulkan specification, "Basic Line Segment Rasterization" and "Bresenham Line Segment Rasterization"; for
// the rounding Mesa's lp_setup_line.c.
// docs/hardware-facts.md lists the assumptions.
#include "tools/proof/emulator/draw/raster/primitive_setup.h"
#include <algorithm>
#include <cmath>

namespace dovetail::emulator {

namespace {

SetupPrimitive setUpRectangle(const Grid &grid, float width, const WindowVertex &begin, const WindowVertex &end) {
  SetupPrimitive result;
  const float dx = begin.x - end.x, dy = begin.y - end.y;
  const float squaredLength = dx * dx + dy * dy;
  if (squaredLength == 0 || !std::isfinite(squaredLength))
    return result;
  const float scale = width * 0.5f / std::sqrt(squaredLength);
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

// One axis of a Bresenham line. A zero counts as positive, and on y it is the negated offset that does.
struct Axis {
  bool isX = true;
  float begin = 0, end = 0;

  float delta() const { return begin - end; }
  // From the centre of its pixel, from -1/2 to 1/2.
  static float fromCentre(float place) { return place - std::floor(place) - 0.5f; }
  // Whether a place with this offset lies on that side of its pixel to which the line goes.
  bool isAhead(float offset) const { return isX ? (offset >= 0) == (-delta() >= 0) : (-offset >= 0) == (delta() >= 0); }
};

bool isInDiamond(float along, float across) {
  return std::abs(along) + std::abs(across) < 0.5f;
}

// How far both ends move along the longer axis, so that the centres between them are those of the line's pixels.
struct EndShifts {
  float begin = 0, end = 0;
};
EndShifts bresenhamShifts(const Axis &along, const Axis &across) {
  const float slope = across.delta() / along.delta();
  const float beginAlong = Axis::fromCentre(along.begin), beginAcross = Axis::fromCentre(across.begin);
  const float endAlong = Axis::fromCentre(along.end);
  float endAcross = Axis::fromCentre(across.end);
  if (endAcross == -0.5f && across.delta() < 0)
    endAcross = 0.5f;
  // Where the line crosses the middle of the pixel, from 0 to 1.
  auto middle = [&](float place, float offset) { return place - std::floor(place) + offset * slope; };

  bool drawsBegin = isInDiamond(beginAlong, beginAcross), drawsEnd = false;
  if (!drawsBegin && !along.isAhead(beginAlong)) {
    const float crossing = middle(across.begin, beginAlong);
    drawsBegin = !across.isAhead(beginAcross) || (crossing > 0 && crossing < 1);
  }
  if (!isInDiamond(endAlong, endAcross) && along.isAhead(endAlong)) {
    const float crossing = middle(across.end, endAlong);
    const bool isAbove = along.isX ? crossing > 0 : crossing >= 0;
    drawsEnd = across.isAhead(endAcross) || (isAbove && crossing < 1);
  }

  const bool goesForward = along.delta() < 0 || (!along.isX && along.delta() == 0);
  const bool hasBegin = goesForward ? beginAlong <= 0 : beginAlong > 0;
  const bool hasEnd = goesForward ? endAlong > 0 : endAlong <= 0;
  const float border = goesForward ? -0.5f : 0.5f;
  return {hasBegin == drawsBegin ? 0 : border - beginAlong, hasEnd == drawsEnd ? 0 : border - endAlong};
}

SetupPrimitive setUpBresenham(const Grid &grid, float width, const WindowVertex &begin, const WindowVertex &end) {
  SetupPrimitive result;
  Axis x = {true, begin.x, end.x}, y = {false, begin.y, end.y};
  if (!std::isfinite(x.delta()) || !std::isfinite(y.delta()) || (x.delta() == 0 && y.delta() == 0))
    return result;
  const bool isAlongX = std::abs(x.delta()) >= std::abs(y.delta());
  const Axis &along = isAlongX ? x : y, &across = isAlongX ? y : x;
  const EndShifts shifts = bresenhamShifts(along, across);
  const float slope = across.delta() / along.delta();
  const int64_t half = int64_t(std::max(std::lround(width), 1L)) * Subpixels / 2;
  auto corner = [&](float placeAlong, float placeAcross, float shift, int64_t side) {
    const int64_t a = grid.snapOutwards(placeAlong + shift), b = grid.snapOutwards(placeAcross + shift * slope) + side;
    return isAlongX ? GridPoint{a, b} : GridPoint{b, a};
  };
  result.polygon = {corner(along.begin, across.begin, shifts.begin, -half),
                    corner(along.end, across.end, shifts.end, -half), corner(along.end, across.end, shifts.end, half),
                    corner(along.begin, across.begin, shifts.begin, half)};
  // Values only change along the longer axis.
  WindowVertex straight = end;
  (isAlongX ? straight.y : straight.x) = isAlongX ? begin.y : begin.x;
  result.interpolants = interpolateLine(begin, straight);
  return result;
}

} // namespace

SetupPrimitive setUpLine(const Grid &grid, const SetupState &state, const WindowVertex &begin,
                         const WindowVertex &end) {
  return state.areLinesBresenham ? setUpBresenham(grid, state.lineWidth, begin, end)
                                 : setUpRectangle(grid, state.lineWidth, begin, end);
}

} // namespace dovetail::emulator
