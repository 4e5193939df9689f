// SPDX-License-Identifier: MIT
//
// From clip space to the window: perspective divide, viewport transform, and the pixels that may be drawn.
#pragma once

#include "tools/proof/emulator/draw/raster/clip.h"

namespace dovetail::emulator {

struct WindowVertex {
  float x = 0, y = 0, z = 0; // pixels; depth
  float inverseW = 0;
  std::array<double, 3> weights = {}, linearWeights = {};
  bool drawsEdge = true, drawsCorner = true; // as in ClipVertex
};

// Pixels x0 <= x < x1, y0 <= y < y1.
struct PixelRect {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;

  PixelRect intersection(const PixelRect &other) const;
  bool isEmpty() const { return x0 >= x1 || y0 >= y1; }
};

struct Viewport {
  std::array<float, 3> scale = {}, offset = {};
  float minDepth = 0, maxDepth = 1;
  PixelRect region;          // framebuffer and scissor
  PixelRect pixels;          // pixels that the viewport lets through
  bool fusesVertices = true; // see viewport.cpp

  WindowVertex transform(const ClipVertex &vertex) const;
};

// At least one viewport. An index beyond the last means the first.
std::vector<Viewport> makeViewports(const Scene &scene, const HardwareRegisters &registers);

} // namespace dovetail::emulator
