// SPDX-License-Identifier: MIT
//
// The fixed-function tessellator: makes points of a patch's domain, and primitives between them, from the patch's
// factors. It places points in 16.16 fixed point and connects them as Direct3D 11's reference tessellator does.
// Lavapipe runs the same tessellator (Mesa, src/gallium/auxiliary/tessellator), and AMD built its hardware to it.
// docs/hardware-facts.md lists the assumptions.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace dovetail::emulator {

// The values of VGT_TF_PARAM's fields.
enum class TessDomain : uint8_t { Isoline, Triangle, Quad };
enum class TessPartitioning : uint8_t { Integer, Pow2, FractionalOdd, FractionalEven };
// Orientation is that of a (u, v) plane with v pointing down.
enum class TessTopology : uint8_t { Point, Line, TriangleClockwise, TriangleCounterClockwise };

struct TessMode {
  TessDomain domain = TessDomain::Triangle;
  TessPartitioning partitioning = TessPartitioning::Integer;
  TessTopology topology = TessTopology::TriangleClockwise;
};

// Outer factors: of the edges u = 0, v = 0, and w = 0 (triangles) or u = 1, v = 1 (quads); isolines: the number of
// lines, and of segments in each line. Inner factors: one for triangles; along u and v for quads.
struct TessFactors {
  std::array<float, 4> outer = {};
  std::array<float, 2> inner = {};
};

struct DomainPoint {
  float u = 0, v = 0;
  bool operator==(const DomainPoint &) const = default;
};

struct TessellatedPatch {
  std::vector<DomainPoint> points;
  unsigned corners = 0;          // of a primitive: 1, 2 or 3
  std::vector<uint32_t> indices; // of points, `corners` for each primitive
};

// Nothing if the patch is culled: an outer factor is not greater than 0. Triangle and quad domains give points or
// triangles, isolines points or lines; other topologies give no primitives.
TessellatedPatch tessellatePatch(const TessMode &mode, const TessFactors &factors);

} // namespace dovetail::emulator
