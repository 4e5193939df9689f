// SPDX-License-Identifier: MIT
//
// Primitive setup: makes polygons on the grid, and their interpolants, from corners in the window.
#pragma once

#include "tools/proof/emulator/draw/raster/interpolants.h"
#include "tools/proof/emulator/draw/raster/rasterise.h"
#include <optional>

namespace dovetail::emulator {

struct SetupState {
  VkCullModeFlags cullMode = VK_CULL_MODE_NONE;
  VkFrontFace frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE;
  float lineWidth = 1;
  bool areLinesBresenham = false;
};

// How far polygons are moved in depth.
struct DepthBias {
  float constant = 0, slope = 0, clamp = 0;
  // Of the depth format. 0: a float, in which the step depends on the largest depth of the polygon.
  float smallestStep = 0;
};
// Errors: Unsupported for a depth format that is not known.
Result<DepthBias> makeDepthBias(const Scene &scene);
// Of one triangle.
float depthOffset(const DepthBias &bias, std::span<const WindowVertex, 3> corners);

struct SetupPrimitive {
  std::vector<GridPoint> polygon; // empty: culled
  Interpolants interpolants;
  bool isFront = true;
};

SetupPrimitive setUpTriangle(const Grid &grid, const SetupState &state, std::span<const WindowVertex, 3> corners);
// Whether a triangle that is drawn as its edges or corners faces the front; nothing if it is culled.
std::optional<bool> outlineFacesFront(const SetupState &state, std::span<const WindowVertex, 3> corners);
SetupPrimitive setUpLine(const Grid &grid, const SetupState &state, const WindowVertex &begin, const WindowVertex &end);
SetupPrimitive setUpPoint(const Grid &grid, const WindowVertex &point, float size);
SetupPrimitive setUpCorner(const Grid &grid, const WindowVertex &corner, float size); // of a polygon

} // namespace dovetail::emulator
