// SPDX-License-Identifier: MIT
//
// Groups of ES vertices and their primitives. On GFX9, a group shares LDS.
#pragma once

#include "tools/proof/emulator/draw/command/front_end.h"
#include "tools/proof/emulator/draw/primitives/geometry_state.h"

namespace dovetail::emulator {

struct GroupPrimitive {
  uint32_t number = 0; // gl_PrimitiveID
  uint8_t corners = 0;
  std::array<uint32_t, MaxFrontCorners> vertex = {}; // indices into GeometryGroup::vertices
};

struct GeometryGroup {
  std::vector<FrontVertex> vertices;      // one ES thread each
  std::vector<GroupPrimitive> primitives; // one GS thread each per invocation
};

// In the order of the primitives. The primitives of a group share vertices; the next group that needs a vertex shades
// it again.
std::vector<GeometryGroup> makeGeometryGroups(const GeometryState &state, const FrontDraw &front);

} // namespace dovetail::emulator
