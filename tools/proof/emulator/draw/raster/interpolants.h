// SPDX-License-Identifier: MIT
//
// Values that vary over a primitive in the window, as functions of the position, and the barycentric coordinates that
// follow from them. i is the weight of the primitive's second corner and j that of the third, as v_interp wants them.
#pragma once

#include "tools/proof/emulator/draw/raster/viewport.h"

namespace dovetail::emulator {

// value + alongX * (x - originX) + alongY * (y - originY)
struct Plane {
  double originX = 0, originY = 0;
  double value = 0, alongX = 0, alongY = 0;

  double at(double x, double y) const { return value + alongX * (x - originX) + alongY * (y - originY); }
};

struct Interpolants {
  Plane inverseW, iOverW, jOverW; // linear in the window
  Plane i, j;                     // without perspective
  Plane depth;                    // z in the window

  struct Pair {
    float i, j;
  };
  Pair perspective(double x, double y) const {
    const double w = 1 / inverseW.at(x, y);
    return {float(iOverW.at(x, y) * w), float(jOverW.at(x, y) * w)};
  }
  Pair linear(double x, double y) const { return {float(i.at(x, y)), float(j.at(x, y))}; }
};

// Interpolants of a triangle with these corners, a line between two ends, a point. A point's i and j run from 0 to 1
// over the square of its size, for its sprite coordinates.
Interpolants interpolateTriangle(std::span<const WindowVertex, 3> corners);
Interpolants interpolateLine(const WindowVertex &begin, const WindowVertex &end);
Interpolants interpolatePoint(const WindowVertex &point, float size);
// A corner of a polygon, drawn as a point: all values are the corner's.
Interpolants interpolateCorner(const WindowVertex &corner);

} // namespace dovetail::emulator
