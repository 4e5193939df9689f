// SPDX-License-Identifier: MIT
//
// The data that the stages in front of the rasteriser pass to each other:
//
//   input assembly or tessellation -> FrontDraw -> vertex waves or geometry -> ShadedDraw -> rasteriser
#pragma once

#include "tools/proof/emulator/draw/command/draw_command.h"
#include <array>
#include <cstdint>
#include <vector>

namespace dovetail::emulator {

// Inputs of a lane of the last vertex or evaluation program (VS or ES).
struct FrontVertex {
  // In the order of the hardware's VGPRs. Vertex shaders: index without its base, instance divided by
  // VGT_INSTANCE_STEP_RATE_0, primitive (if asked for), instance. Evaluation shaders: u, v, number of the patch in its
  // group, number of the patch.
  std::array<uint32_t, 4> vgprs = {};
  uint32_t offchipOffset = 0; // of the patch's group; all lanes of a wave have the same
};

constexpr unsigned MaxFrontCorners = 6; // of a triangle with adjacency

struct FrontPrimitive {
  uint8_t corners = 0;
  uint8_t provoking = 0;                             // which corner
  std::array<uint32_t, MaxFrontCorners> vertex = {}; // indices into the vertices
  uint32_t number = 0; // gl_PrimitiveID: within its instance; of tessellated primitives, the patch's
};

struct FrontDraw {
  bool isTessellated = false;
  std::vector<FrontVertex> vertices;
  std::vector<FrontPrimitive> primitives;
};

constexpr unsigned MaxDistances = 8;

// Results of the program that runs as VS, read as PA_CL_VS_OUT_CNTL says.
struct ShadedVertex {
  std::array<float, 4> position = {}; // clip space
  float pointSize = 1;
  uint32_t layer = 0, viewport = 0;
  std::array<float, MaxDistances> distances = {};  // clip and cull distances
  std::vector<std::array<uint32_t, 4>> parameters; // by export number
  uint32_t exportedParameters = 0;                 // a bit for each parameter that was exported
};

// A point, line or triangle for the rasteriser.
struct AssembledPrimitive {
  uint8_t corners = 0;                 // 1, 2 or 3
  uint8_t provoking = 0;               // which corner
  std::array<uint32_t, 3> vertex = {}; // indices into the vertices
};

struct ShadedDraw {
  std::vector<ShadedVertex> vertices;
  std::vector<AssembledPrimitive> primitives;
};

} // namespace dovetail::emulator
