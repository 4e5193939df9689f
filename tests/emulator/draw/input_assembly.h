// SPDX-License-Identifier: MIT
//
// Input assembly: from a draw's vertex or index stream to the vertices that the vertex shader runs for and the
// primitives that they form.
#pragma once

#include "src/base/error.h"
#include "tests/scene/scene.h"
#include <array>
#include <cstdint>
#include <vector>

namespace dovetail::emulator {

// What the input assembler puts into v0..v3 of one lane.
struct VertexInvocation {
  uint32_t index = 0; // value of the index, or the running number; without a base
  uint32_t instance = 0;
  uint32_t primitive = 0; // only if asked for
};

struct AssembledPrimitive {
  uint8_t corners = 0;                 // 1, 2 or 3
  uint8_t provoking = 0;               // which corner
  std::array<uint32_t, 3> vertex = {}; // indices into AssembledDraw::vertices
};

struct AssembledDraw {
  std::vector<VertexInvocation> vertices;
  std::vector<AssembledPrimitive> primitives;
};

// Vertices are shared between primitives, as far as their indices agree. With `primitiveIds` each primitive has its
// own, because they differ in the primitive's number. Errors: Unsupported for patches; InvalidInput if there are fewer
// indices than the draw wants.
Result<AssembledDraw> assembleInput(const Scene &scene, bool primitiveIds);

} // namespace dovetail::emulator
