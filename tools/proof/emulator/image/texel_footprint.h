// SPDX-License-Identifier: MIT
//
// Finds the texels along an axis for one texture coordinate: wrapping (SQ_TEX_CLAMP), nearest and linear.
#pragma once

#include <array>
#include <cstdint>

namespace dovetail::emulator {

// SQ_TEX_CLAMP.
enum class WrapMode : uint8_t {
  Wrap = 0,
  Mirror = 1,
  ClampLastTexel = 2,
  MirrorOnceLastTexel = 3,
  ClampHalfBorder = 4,
  MirrorOnceHalfBorder = 5,
  ClampBorder = 6,
  MirrorOnceBorder = 7,
};

struct Axis {
  WrapMode wrap = WrapMode::ClampLastTexel;
  int32_t size = 1;         // of the level, in texels
  bool isPowerOfTwo = true; // of level 0, and so of all levels
  bool isNormalized = true; // coordinates
  int32_t offset = 0;       // of the instruction, in texels
};

// A texel index outside of [0, size) means the border.
struct LinearFootprint {
  std::array<int32_t, 2> texel = {};
  float weight = 0; // of texel[1]
};

LinearFootprint linearFootprint(const Axis &axis, float coordinate);

// The same for all lanes of a wave, each with its own level size and offset.
constexpr unsigned FootprintLanes = 64;
using LaneFloats = std::array<float, FootprintLanes>;
using LaneTexels = std::array<int32_t, FootprintLanes>;
struct LaneFootprints {
  std::array<LaneTexels, 2> texel;
  LaneFloats weight;
};
struct LaneAxis {
  Axis common; // except size and offset
  LaneTexels sizes, offsets;
};
void linearFootprints(const LaneAxis &axis, const LaneFloats &coordinates, LaneFootprints &footprints);
void nearestTexels(const LaneAxis &axis, const LaneFloats &coordinates, LaneTexels &texels);

// The two texels that gather4 returns. Differences to the linear footprint: where mirroring turns the axis around, they
// keep their order; a texel with a weight of zero is not arbitrary.
std::array<int32_t, 2> gatherFootprint(const Axis &axis, float coordinate);

} // namespace dovetail::emulator
