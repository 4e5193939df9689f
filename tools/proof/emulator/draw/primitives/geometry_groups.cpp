// SPDX-License-Identifier: MIT
//
// The hardware checks whether a group is full after each whole primitive (gfx9_get_gs_info in Mesa's
// si_state_shaders.cpp). So a group may exceed its limit by a few vertices. All patches of a group have the same place
// in the off-chip buffer, because a wave has one SGPR for it.
#include "tools/proof/emulator/draw/primitives/geometry_groups.h"
#include <unordered_map>

namespace dovetail::emulator {

std::vector<GeometryGroup> makeGeometryGroups(const GeometryState &state, const FrontDraw &front) {
  std::vector<GeometryGroup> groups;
  std::unordered_map<uint32_t, uint32_t> places; // of the last group's vertices, by their index in the front
  bool isFull = true;
  for (const FrontPrimitive &primitive : front.primitives) {
    const uint32_t offchipOffset = front.vertices[primitive.vertex[0]].offchipOffset;
    if (isFull || groups.back().vertices.front().offchipOffset != offchipOffset) {
      groups.emplace_back();
      places.clear();
    }
    GeometryGroup &group = groups.back();
    GroupPrimitive &member = group.primitives.emplace_back();
    member.number = primitive.number;
    member.corners = primitive.corners;
    for (unsigned corner = 0; corner < primitive.corners; ++corner) {
      const auto [place, isNew] = places.try_emplace(primitive.vertex[corner], uint32_t(group.vertices.size()));
      if (isNew)
        group.vertices.push_back(front.vertices[primitive.vertex[corner]]);
      member.vertex[corner] = place->second;
    }
    isFull = group.vertices.size() >= state.groupVertices || group.primitives.size() >= state.groupPrimitives;
  }
  return groups;
}

} // namespace dovetail::emulator
