// SPDX-License-Identifier: MIT
//
// Groups of ES vertices and the primitives that are made of them: what shares the LDS on GFX9.
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
  std::vector<FrontVertex> vertices;      // an ES thread each
  std::vector<GroupPrimitive> primitives; // as many GS threads each as there are invocations
};

// In the order of the primitives. A vertex is shared by the primitives of a group, and shaded again in the next group
// that needs it.
std::vector<GeometryGroup> makeGeometryGroups(const GeometryState &state, const FrontDraw &front);

} // namespace dovetail::emulator
