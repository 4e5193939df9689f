// SPDX-License-Identifier: MIT
//
// A value that is linear in clip space is linear in the window after division by w. Weights of the original corners are
// linear in clip space; so weight / w and 1 / w get a plane each, and their quotient is the perspective weight. A
// corner from clipping has a mix of the original corners' weights, so the original parameters also serve for a clipped
// primitive. Positions are those before snapping, as in the reference.
// Source: the Vulkan specification, "Polygon Rasterization", for what is interpolated. How the hardware rounds on the
// way is not documented (docs/hardware-facts.md).
#include "tools/proof/emulator/draw/raster/interpolants.h"

namespace dovetail::emulator {

namespace {

// Makes planes from values at reference points of the primitive: `make` turns an array of values into a plane.
template <size_t Count, typename Make>
Interpolants combine(const std::array<const WindowVertex *, Count> &corners, Make make) {
  auto plane = [&](auto value) {
    std::array<double, Count> values;
    for (size_t k = 0; k < Count; ++k)
      values[k] = value(*corners[k]);
    return make(values);
  };
  Interpolants result;
  result.inverseW = plane([](const WindowVertex &vertex) { return double(vertex.inverseW); });
  result.iOverW = plane([](const WindowVertex &vertex) { return vertex.weights[1] * vertex.inverseW; });
  result.jOverW = plane([](const WindowVertex &vertex) { return vertex.weights[2] * vertex.inverseW; });
  result.i = plane([](const WindowVertex &vertex) { return vertex.linearWeights[1]; });
  result.j = plane([](const WindowVertex &vertex) { return vertex.linearWeights[2]; });
  result.depth = plane([](const WindowVertex &vertex) { return double(vertex.z); });
  return result;
}

} // namespace

Interpolants interpolateTriangle(std::span<const WindowVertex, 3> corners) {
  const double x0 = corners[0].x, y0 = corners[0].y;
  const double x1 = corners[1].x - x0, y1 = corners[1].y - y0, x2 = corners[2].x - x0, y2 = corners[2].y - y0;
  const double area = x1 * y2 - x2 * y1;
  const std::array<const WindowVertex *, 3> list = {&corners[0], &corners[1], &corners[2]};
  return combine(list, [&](const std::array<double, 3> &values) {
    Plane plane{x0, y0, values[0]};
    if (area != 0) {
      double d1 = values[1] - values[0], d2 = values[2] - values[0];
      plane.alongX = (d1 * y2 - d2 * y1) / area;
      plane.alongY = (d2 * x1 - d1 * x2) / area;
    }
    return plane;
  });
}

Interpolants interpolateLine(const WindowVertex &begin, const WindowVertex &end) {
  const double dx = double(end.x) - begin.x, dy = double(end.y) - begin.y;
  const double squaredLength = dx * dx + dy * dy;
  const std::array<const WindowVertex *, 2> list = {&begin, &end};
  return combine(list, [&](const std::array<double, 2> &values) {
    Plane plane{begin.x, begin.y, values[0]};
    if (squaredLength != 0) {
      plane.alongX = (values[1] - values[0]) * dx / squaredLength;
      plane.alongY = (values[1] - values[0]) * dy / squaredLength;
    }
    return plane;
  });
}

Interpolants interpolateCorner(const WindowVertex &corner) {
  const std::array<const WindowVertex *, 1> list = {&corner};
  return combine(list, [&](const std::array<double, 1> &values) { return Plane{corner.x, corner.y, values[0]}; });
}

Interpolants interpolatePoint(const WindowVertex &point, float size) {
  Interpolants result;
  result.depth.value = point.z;
  result.inverseW.value = point.inverseW;
  result.i = Plane{point.x, point.y, 0.5, 1.0 / size, 0};
  result.j = Plane{point.x, point.y, 0.5, 0, 1.0 / size};
  auto overW = [&](Plane plane) {
    plane.value *= point.inverseW;
    plane.alongX *= point.inverseW;
    plane.alongY *= point.inverseW;
    return plane;
  };
  result.iOverW = overW(result.i);
  result.jOverW = overW(result.j);
  return result;
}

} // namespace dovetail::emulator
