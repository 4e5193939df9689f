// SPDX-License-Identifier: MIT
//
// A cube of edge length 2 * size has texel centres at odd integers. Beyond an edge, the surface turns by 90 degrees:
// the distance beyond the edge continues backward along the major axis. The place is then on the neighbouring face. The
// major axis of that face is the axis along which the texel left the old face.
#include "tools/proof/emulator/image/cube_face.h"
#include <cstdlib>

namespace dovetail::emulator {

CubeTexel cubeTexelAcrossEdge(const CubeTexel &texel, int size) {
  if (unsigned(texel.x) < unsigned(size) && unsigned(texel.y) < unsigned(size))
    return texel;
  CubePlace<int> place = {texel.face, 2 * texel.x + 1 - size, 2 * texel.y + 1 - size, size};
  auto fold = [&](int &coordinate) {
    if (int beyond = std::abs(coordinate) - size; beyond > 0) {
      coordinate = coordinate < 0 ? -size : size;
      place.ma -= beyond;
    }
  };
  fold(place.sc);
  fold(place.tc);
  if (place.ma == size)
    return texel;
  std::array<int, 3> direction = cubeDirection(place);
  for (unsigned face = 0; face != 6; ++face) {
    CubePlace<int> there = cubePlaceOn(face, direction);
    if (there.ma == size)
      return {face, (there.sc + size - 1) / 2, (there.tc + size - 1) / 2};
  }
  return texel;
}

} // namespace dovetail::emulator
