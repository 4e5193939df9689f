// SPDX-License-Identifier: MIT
//
// Hardware converts coordinates to fixed point with 8 bits of fraction before it filters; which bits it keeps is not
// documented. Here everything is in single precision, in llvmpipe's order of operations (Mesa 22.3,
// lp_bld_sample_soa.c). So coordinates on the boundary of two texels fall on the same side as in the reference, and
// weights agree to the last bits. In particular, if the width of an image is a power of two, a coordinate wraps after
// it is scaled, otherwise before.
#include "tools/proof/emulator/image/texel_footprint.h"
#include "tools/proof/emulator/numerics/host_vectors.h"
#include <algorithm>
#include <bit>
#include <cmath>

namespace dovetail::emulator {

namespace {

// Far outside of every image, and safe to compute with.
constexpr float Limit = 1 << 24;

[[gnu::always_inline]] inline int32_t toInteger(float value) {
  return std::isnan(value) ? 0 : int32_t(std::clamp(value, -Limit, Limit));
}

[[gnu::always_inline]] inline int32_t floorToInteger(float value) {
  return toInteger(std::floor(value));
}

// The coordinate in texels, moved by the offset.
[[gnu::always_inline]] inline float scaled(const Axis &axis, float coordinate) {
  return (axis.isNormalized ? coordinate * float(axis.size) : coordinate) + float(axis.offset);
}

// The coordinate in sizes of the image, moved by the offset.
[[gnu::always_inline]] inline float normalized(const Axis &axis, float coordinate) {
  if (!axis.isNormalized)
    coordinate /= float(axis.size);
  return axis.offset == 0 ? coordinate : coordinate + float(axis.offset) / float(axis.size);
}

// Back and forth between -1 and 1; negative on the way back.
[[gnu::always_inline]] inline float mirrored(float coordinate) {
  float half = coordinate * 0.5f;
  float distance = half - std::nearbyint(half);
  return distance + distance;
}

[[gnu::always_inline]] inline float minimum(float a, float b) {
  return std::isnan(a) ? b : std::min(a, b);
}

[[gnu::always_inline]] inline LinearFootprint footprintAt(float coordinate) {
  const float floor = std::floor(coordinate);
  LinearFootprint footprint;
  footprint.texel[0] = toInteger(floor);
  footprint.texel[1] = footprint.texel[0] + 1;
  footprint.weight = std::isfinite(coordinate) ? coordinate - floor : 0;
  return footprint;
}

[[gnu::always_inline]] inline LinearFootprint wrapFootprint(const Axis &axis, float coordinate) {
  if (axis.isPowerOfTwo && axis.isNormalized) {
    LinearFootprint footprint = footprintAt(coordinate * float(axis.size) - 0.5f + float(axis.offset));
    for (int32_t &texel : footprint.texel)
      texel &= axis.size - 1;
    return footprint;
  }
  float position = normalized(axis, coordinate);
  position = (position - std::floor(position)) * float(axis.size) - 0.5f;
  LinearFootprint footprint = footprintAt(position);
  if (!(position >= 0))
    footprint.texel[0] = axis.size - 1;
  footprint.texel[1] = footprint.texel[0] == axis.size - 1 ? 0 : footprint.texel[0] + 1;
  return footprint;
}

// Texel -1 - i mirrors texel i.
int32_t mirroredTexel(int32_t texel, int32_t size) {
  return std::min(texel < 0 ? ~texel : texel, size - 1);
}

// The wrap mode is known at compile time, so a loop over lanes has no branch.
template <WrapMode Wrap> [[gnu::always_inline]] inline int32_t nearestOf(const Axis &axis, float coordinate) {
  const int32_t last = axis.size - 1;
  switch (Wrap) {
  case WrapMode::Wrap: {
    if (axis.isPowerOfTwo && axis.isNormalized)
      return (floorToInteger(coordinate * float(axis.size)) + axis.offset) & (axis.size - 1);
    float position = normalized(axis, coordinate);
    return std::clamp(toInteger((position - std::floor(position)) * float(axis.size)), 0, last);
  }
  case WrapMode::Mirror:
    return std::min(toInteger(std::abs(mirrored(normalized(axis, coordinate))) * float(axis.size)), last);
  case WrapMode::ClampLastTexel:
  case WrapMode::ClampHalfBorder:
    return std::clamp(toInteger(scaled(axis, coordinate)), 0, last);
  case WrapMode::MirrorOnceLastTexel:
  case WrapMode::MirrorOnceHalfBorder:
    return std::min(toInteger(std::abs(scaled(axis, coordinate))), last);
  case WrapMode::ClampBorder:
    return floorToInteger(axis.isNormalized ? coordinate * float(axis.size) : coordinate) + axis.offset;
  case WrapMode::MirrorOnceBorder:
    break;
  }
  return toInteger(std::abs(scaled(axis, coordinate)));
}

template <WrapMode Wrap> [[gnu::always_inline]] inline LinearFootprint footprintOf(const Axis &axis, float coordinate) {
  const int32_t last = axis.size - 1;
  const float end = float(axis.size);
  LinearFootprint footprint;
  switch (Wrap) {
  case WrapMode::Wrap:
    return wrapFootprint(axis, coordinate);
  case WrapMode::Mirror:
    footprint = footprintAt(std::abs(mirrored(normalized(axis, coordinate))) * end - 0.5f);
    footprint.texel = {std::max(footprint.texel[0], 0), std::min(footprint.texel[1], last)};
    return footprint;
  case WrapMode::ClampLastTexel:
    footprint = footprintAt(std::max(minimum(scaled(axis, coordinate), end) - 0.5f, 0.0f));
    footprint.texel[1] = std::min(footprint.texel[1], last);
    return footprint;
  case WrapMode::MirrorOnceLastTexel:
    footprint = footprintAt(std::max(minimum(std::abs(scaled(axis, coordinate)), end) - 0.5f, 0.0f));
    footprint.texel[1] = std::min(footprint.texel[1], last);
    return footprint;
  case WrapMode::ClampHalfBorder:
    return footprintAt(std::clamp(scaled(axis, coordinate), 0.0f, end) - 0.5f);
  case WrapMode::MirrorOnceHalfBorder:
    return footprintAt(minimum(std::abs(scaled(axis, coordinate)), end) - 0.5f);
  case WrapMode::ClampBorder:
    return footprintAt(scaled(axis, coordinate) - 0.5f);
  case WrapMode::MirrorOnceBorder:
    break;
  }
  return footprintAt(std::abs(scaled(axis, coordinate)) - 0.5f);
}

// Calls `f` with the wrap mode as a template argument.
template <typename F> auto withWrapMode(WrapMode wrap, F f) {
  switch (wrap) {
  case WrapMode::Wrap:
    return f.template operator()<WrapMode::Wrap>();
  case WrapMode::Mirror:
    return f.template operator()<WrapMode::Mirror>();
  case WrapMode::ClampLastTexel:
    return f.template operator()<WrapMode::ClampLastTexel>();
  case WrapMode::MirrorOnceLastTexel:
    return f.template operator()<WrapMode::MirrorOnceLastTexel>();
  case WrapMode::ClampHalfBorder:
    return f.template operator()<WrapMode::ClampHalfBorder>();
  case WrapMode::MirrorOnceHalfBorder:
    return f.template operator()<WrapMode::MirrorOnceHalfBorder>();
  case WrapMode::ClampBorder:
    return f.template operator()<WrapMode::ClampBorder>();
  case WrapMode::MirrorOnceBorder:
    break;
  }
  return f.template operator()<WrapMode::MirrorOnceBorder>();
}

} // namespace

LinearFootprint linearFootprint(const Axis &axis, float coordinate) {
  return withWrapMode(axis.wrap, [&]<WrapMode Wrap>() { return footprintOf<Wrap>(axis, coordinate); });
}

namespace {

// Calls `f` with the axis and the coordinate of each lane.
template <typename F>
[[gnu::always_inline]] inline void eachLane(const LaneAxis &axis, const LaneFloats &coordinates, F f) {
  auto loop = [&](bool isNormalized, bool isPowerOfTwo) __attribute__((always_inline)) {
    Axis ofLane = axis.common;
    ofLane.isNormalized = isNormalized;
    ofLane.isPowerOfTwo = isPowerOfTwo;
    DOVETAIL_LANES_ARE_APART
    for (unsigned lane = 0; lane != FootprintLanes; ++lane) {
      ofLane.size = axis.sizes[lane];
      ofLane.offset = axis.offsets[lane];
      f(lane, ofLane, coordinates[lane]);
    }
  };
  if (!axis.common.isNormalized)
    loop(false, false);
  else if (axis.common.isPowerOfTwo)
    loop(true, true);
  else
    loop(true, false);
}

} // namespace

void linearFootprints(const LaneAxis &axis, const LaneFloats &coordinates, LaneFootprints &footprints) {
  withWrapMode(axis.common.wrap, [&]<WrapMode Wrap>() {
    withHostVectors([&] {
      eachLane(axis, coordinates, [&](unsigned lane, const Axis &ofLane, float coordinate) {
        const LinearFootprint footprint = footprintOf<Wrap>(ofLane, coordinate);
        footprints.texel[0][lane] = footprint.texel[0];
        footprints.texel[1][lane] = footprint.texel[1];
        footprints.weight[lane] = footprint.weight;
      });
    });
  });
}

void nearestTexels(const LaneAxis &axis, const LaneFloats &coordinates, LaneTexels &texels) {
  withWrapMode(axis.common.wrap, [&]<WrapMode Wrap>() {
    withHostVectors([&] {
      eachLane(axis, coordinates, [&](unsigned lane, const Axis &ofLane, float coordinate) {
        texels[lane] = nearestOf<Wrap>(ofLane, coordinate);
      });
    });
  });
}

std::array<int32_t, 2> gatherFootprint(const Axis &axis, float coordinate) {
  const int32_t last = axis.size - 1;
  switch (axis.wrap) {
  case WrapMode::ClampLastTexel: {
    float position = std::max(minimum(scaled(axis, coordinate), float(axis.size)), 0.0f);
    return {toInteger(position - 0.5f), std::min(toInteger(position + 0.5f), last)};
  }
  case WrapMode::Mirror: {
    int32_t first = floorToInteger(mirrored(normalized(axis, coordinate)) * float(axis.size) - 0.5f);
    return {mirroredTexel(first, axis.size), mirroredTexel(first + 1, axis.size)};
  }
  case WrapMode::MirrorOnceLastTexel: {
    int32_t first = floorToInteger(scaled(axis, coordinate) - 0.5f);
    return {mirroredTexel(first, axis.size), mirroredTexel(first + 1, axis.size)};
  }
  default:
    return linearFootprint(axis, coordinate).texel;
  }
}

} // namespace dovetail::emulator
