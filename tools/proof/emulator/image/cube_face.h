// SPDX-License-Identifier: MIT
//
// Faces of a cube: 0 to 5 are +x, -x, +y, -y, +z, -z. A place on a face is (sc, tc) along the face's axes and the
// magnitude of the major axis, ma, as v_cubesc, v_cubetc and v_cubema have them ("Vega" ISA manual, section
// 12.12; the table is the OpenGL specification's "Selection of cube map images"). Works on floats and on integers.
#pragma once

#include <array>

namespace dovetail::emulator {

struct CubeAxis {
  unsigned axis; // 0: x, 1: y, 2: z
  int sign;
};

struct CubeFace {
  CubeAxis sc, tc, ma;
};

constexpr CubeFace CubeFaces[6] = {
    {{2, -1}, {1, -1}, {0, +1}}, // +x
    {{2, +1}, {1, -1}, {0, -1}}, // -x
    {{0, +1}, {2, +1}, {1, +1}}, // +y
    {{0, +1}, {2, -1}, {1, -1}}, // -y
    {{0, +1}, {1, -1}, {2, +1}}, // +z
    {{0, -1}, {1, -1}, {2, -1}}, // -z
};

template <typename T> struct CubePlace {
  unsigned face;
  T sc, tc, ma;
};

template <typename T> std::array<T, 3> cubeDirection(const CubePlace<T> &place) {
  const CubeFace &face = CubeFaces[place.face];
  std::array<T, 3> direction = {};
  direction[face.sc.axis] = T(face.sc.sign) * place.sc;
  direction[face.tc.axis] = T(face.tc.sign) * place.tc;
  direction[face.ma.axis] = T(face.ma.sign) * place.ma;
  return direction;
}

// A direction as a given face sees it: ma may be negative, or smaller than sc or tc.
template <typename T> CubePlace<T> cubePlaceOn(unsigned number, const std::array<T, 3> &direction) {
  const CubeFace &face = CubeFaces[number];
  auto along = [&](CubeAxis axis) { return T(axis.sign) * direction[axis.axis]; };
  return {number, along(face.sc), along(face.tc), along(face.ma)};
}

struct CubeTexel {
  unsigned face;
  int x, y;
};

// Finds the texel of a coordinate that is one beyond an edge of its face: it lies on the neighbouring face. Only one of
// x and y may be outside of [0, size).
CubeTexel cubeTexelAcrossEdge(const CubeTexel &texel, int size);

} // namespace dovetail::emulator
