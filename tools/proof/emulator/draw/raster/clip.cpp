// SPDX-License-Identifier: MIT
//
// Sutherland and Hodgman, plane after plane. Positions are computed in single precision and without a guard band, in
// the order and with the formulas of the reference (Mesa's draw module). A new vertex is snapped to the pixel grid like
// any other, so its rounding decides which pixels the edge covers. The weights for attributes are kept in double
// precision.
// docs/hardware-facts.md lists the assumptions.
#include "tools/proof/emulator/draw/raster/clip.h"
#include "src/abi/registers/registers.h"
#include "tools/proof/emulator/draw/command/program_registers.h"
#include <algorithm>
#include <cmath>

namespace dovetail::emulator {

namespace {

constexpr unsigned SidePlanes = 4, FrustumPlanes = 6;

// Distance of a vertex from a plane of the view volume, or its clip distance; positive inside.
float planeDistance(const ClipState &state, const ClipVertex &vertex, unsigned plane) {
  const auto &[x, y, z, w] = vertex.position;
  switch (plane) {
  case 0:
    return w - x;
  case 1:
    return w + x;
  case 2:
    return w - y;
  case 3:
    return w + y;
  case 4:
    return state.negativeOneToOne ? w + z : z;
  case 5:
    return w - z;
  default:
    return vertex.distances[plane - FrustumPlanes];
  }
}

bool isOutside(float distance) {
  return distance < 0 || !std::isfinite(distance);
}

template <typename T> T interpolate(T from, T to, T t) {
  return from + t * (to - from);
}

// The vertex at `t` on the way from one vertex to another.
ClipVertex interpolate(const ClipVertex &from, const ClipVertex &to, float t) {
  ClipVertex result;
  result.isNew = true;
  for (unsigned i = 0; i < 4; ++i)
    result.position[i] = interpolate(from.position[i], to.position[i], t);
  for (unsigned i = 0; i < MaxDistances; ++i)
    result.distances[i] = interpolate(from.distances[i], to.distances[i], t);

  // In the window, the new vertex divides the edge in another ratio. If the ends of the edge are close together, this
  // ratio is far from exact; so it is computed in single precision like the positions.
  float linear = t;
  for (unsigned axis = 0; axis < 2; ++axis)
    if (from.position[axis] != to.position[axis]) {
      const float begin = from.position[axis] / from.position[3], end = to.position[axis] / to.position[3];
      const float here = result.position[axis] / result.position[3];
      linear = (here - begin) / (end - begin);
      break;
    }
  for (unsigned i = 0; i < 3; ++i) {
    result.weights[i] = interpolate(from.weights[i], to.weights[i], double(t));
    result.linearWeights[i] = interpolate(from.linearWeights[i], to.linearWeights[i], double(linear));
  }
  return result;
}

// The intersection of an edge with a plane, computed from the end that is nearer to the plane, or from the inner
// end if both are equally near.
ClipVertex intersect(const ClipVertex &a, float distanceA, const ClipVertex &b, float distanceB) {
  float span = distanceB - distanceA;
  const bool comesIn = distanceB >= 0;
  if (std::abs(distanceB) < std::abs(distanceA) || (comesIn && distanceB == -distanceA))
    return interpolate(b, a, distanceB / span);
  return interpolate(a, b, -distanceA / span);
}

// Keeps the part inside one plane. False: a distance is not a number, and the whole primitive is dropped.
// An edge along a clip distance is drawn, and one along the view volume is not. Which of the new vertices are drawn as
// points is the reference's choice.
bool clipPolygon(const ClipState &state, std::vector<ClipVertex> &polygon, unsigned plane) {
  std::vector<ClipVertex> result;
  for (size_t i = 0; i < polygon.size(); ++i) {
    const ClipVertex &vertex = polygon[i], &next = polygon[(i + 1) % polygon.size()];
    float distance = planeDistance(state, vertex, plane), nextDistance = planeDistance(state, next, plane);
    if (!std::isfinite(distance))
      return false;
    if (distance >= 0)
      result.push_back(vertex);
    if ((distance >= 0) != (nextDistance >= 0)) {
      result.push_back(intersect(vertex, distance, next, nextDistance));
      const bool isAlongDistance = plane >= FrustumPlanes, goesOut = nextDistance < 0;
      ClipVertex &made = result.back();
      made.drawsEdge = goesOut ? isAlongDistance : vertex.drawsEdge;
      made.drawsCorner = plane >= SidePlanes && (goesOut ? isAlongDistance : vertex.drawsCorner);
    }
  }
  if (result.size() < 3)
    result.clear();
  polygon = std::move(result);
  return true;
}

// Cuts a line at both ends at once, after looking at all planes.
void clipLine(const ClipState &state, std::vector<ClipVertex> &line, uint32_t planes) {
  float cutBegin = 0, cutEnd = 0; // fractions of the line
  for (unsigned plane = 0; planes != 0; ++plane, planes >>= 1) {
    if ((planes & 1) == 0)
      continue;
    float begin = planeDistance(state, line[0], plane), end = planeDistance(state, line[1], plane);
    if (!std::isfinite(begin) || !std::isfinite(end))
      return line.clear();
    if (end < 0)
      cutEnd = std::max(cutEnd, end / (end - begin));
    if (begin < 0)
      cutBegin = std::max(cutBegin, begin / (begin - end));
    if (cutBegin + cutEnd >= 1)
      return line.clear();
  }
  const ClipVertex begin = line[0], end = line[1];
  if (cutBegin > 0)
    line[0] = interpolate(begin, end, cutBegin);
  if (cutEnd > 0)
    line[1] = interpolate(end, begin, cutEnd);
}

bool isCulled(uint8_t distances, std::span<const ShadedVertex *const> corners) {
  for (unsigned i = 0; i < MaxDistances; ++i)
    if ((distances >> i & 1) != 0 &&
        std::ranges::all_of(corners, [&](const ShadedVertex *vertex) { return isOutside(vertex->distances[i]); }))
      return true;
  return false;
}

} // namespace

ClipState readClipState(const Scene &scene, const HardwareRegisters &registers) {
  using namespace field;
  const uint32_t clipping = registerValue(registers, reg::PA_CL_CLIP_CNTL);
  const uint32_t outputs = registerValue(registers, reg::PA_CL_VS_OUT_CNTL);
  ClipState state;
  state.negativeOneToOne = scene.negativeOneToOne;
  state.depth = PA_CL_CLIP_CNTL::ZCLIP_NEAR_DISABLE.get(clipping) == 0;
  state.pointsXy = PA_CL_VS_OUT_CNTL::USE_VTX_VIEWPORT_INDX.get(outputs) != 0;
  state.clipDistances = uint8_t(PA_CL_VS_OUT_CNTL::CLIP_DIST_ENA.get(outputs));
  state.cullDistances = uint8_t(PA_CL_VS_OUT_CNTL::CULL_DIST_ENA.get(outputs));
  return state;
}

std::vector<ClipVertex> clipPrimitive(const ClipState &state, std::span<const ShadedVertex *const> corners) {
  if (isCulled(state.cullDistances, corners))
    return {};

  std::vector<ClipVertex> left;
  uint32_t touched = 0, outsideForAll = ~0u; // planes
  const uint32_t planes = 0xf | (state.depth ? 0x30 : 0) | uint32_t(state.clipDistances) << FrustumPlanes;
  for (size_t i = 0; i < corners.size(); ++i) {
    ClipVertex vertex;
    vertex.position = corners[i]->position;
    vertex.distances = corners[i]->distances;
    vertex.weights[i] = vertex.linearWeights[i] = 1;
    uint32_t outside = 0;
    for (unsigned plane = 0; plane < FrustumPlanes + MaxDistances; ++plane)
      if ((planes >> plane & 1) != 0 && isOutside(planeDistance(state, vertex, plane)))
        outside |= 1u << plane;
    touched |= outside;
    outsideForAll &= outside;
    left.push_back(vertex);
  }
  if (touched == 0)
    return left;

  if (corners.size() == 1) {
    const auto &[x, y, z, w] = left[0].position;
    bool onlySides = touched < 1u << SidePlanes;
    bool keep = onlySides && !state.pointsXy && w > 0 && std::isfinite(x) && std::isfinite(y);
    return keep ? left : std::vector<ClipVertex>();
  }
  if (outsideForAll != 0)
    return {};
  if (corners.size() == 2) {
    clipLine(state, left, touched);
    return left;
  }
  for (unsigned plane = 0; plane < FrustumPlanes + MaxDistances && !left.empty(); ++plane)
    if ((touched >> plane & 1) != 0 && !clipPolygon(state, left, plane))
      return {};
  return left;
}

} // namespace dovetail::emulator
