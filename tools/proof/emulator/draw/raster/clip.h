// SPDX-License-Identifier: MIT
//
// Clipping: cuts primitives at the view volume and at the shader's clip distances, and drops primitives that cull
// distances or the view volume exclude.
#pragma once

#include "tools/proof/emulator/draw/command/front_end.h"
#include <span>

namespace dovetail::emulator {

// A corner of a clipped primitive. Weights say how much of each original corner is in it.
struct ClipVertex {
  std::array<float, 4> position = {};       // clip space
  std::array<double, 3> weights = {};       // in clip space: for perspective interpolation
  std::array<double, 3> linearWeights = {}; // in the window: for interpolation without perspective
  std::array<float, MaxDistances> distances = {};
  bool isNew = false; // made by clipping
  // Polygons that are drawn as their edges or corners: whether the edge from here to the next vertex is drawn, and
  // whether this vertex is.
  bool drawsEdge = true, drawsCorner = true;
};

struct ClipState {
  bool negativeOneToOne = false;                // depth begins at -w
  bool depth = true;                            // at the near and far plane; off for depth clamp
  bool pointsXy = true;                         // drops points outside the sides; otherwise points are cut per pixel
  uint8_t clipDistances = 0, cullDistances = 0; // a bit for each distance
};
ClipState readClipState(const Scene &scene, const HardwareRegisters &registers);

// The convex polygon, line or point that is left; empty if nothing is left.
std::vector<ClipVertex> clipPrimitive(const ClipState &state, std::span<const ShadedVertex *const> corners);

} // namespace dovetail::emulator
