// SPDX-License-Identifier: MIT
//
// Primitive setup: makes polygons on the grid, and their interpolants, from corners in the window.
#pragma once

#include "tools/proof/emulator/draw/raster/interpolants.h"
#include "tools/proof/emulator/draw/raster/rasterise.h"

namespace dovetail::emulator {

struct SetupState {
  VkCullModeFlags cullMode = VK_CULL_MODE_NONE;
  VkFrontFace frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE;
};

struct SetupPrimitive {
  std::vector<GridPoint> polygon; // empty: culled
  Interpolants interpolants;
  bool isFront = true;
};

SetupPrimitive setUpTriangle(const Grid &grid, const SetupState &state, std::span<const WindowVertex, 3> corners);
SetupPrimitive setUpLine(const Grid &grid, const WindowVertex &begin, const WindowVertex &end);
SetupPrimitive setUpPoint(const Grid &grid, const WindowVertex &point, float size);

} // namespace dovetail::emulator
