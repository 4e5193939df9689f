// SPDX-License-Identifier: MIT
//
// One axis of tessellation: an interval [0, 1] that a factor divides, symmetrically about its middle; and triangles
// between two rows of points with different divisions. Factors are odd or even by their number of segments. A
// fractional factor lies between two factors of the same parity, and its points between theirs: one pair of points is
// splitting off. Source: Direct3D 11's reference tessellator (tessellator.h).
#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace dovetail::emulator {

// 16.16 fixed point.
using Fixed = uint32_t;
constexpr unsigned FixedBits = 16;
constexpr Fixed FixedOne = 1u << FixedBits, FixedHalf = FixedOne / 2;
constexpr Fixed FixedThird = 0x5555, FixedTwoThirds = 0xaaaa; // rounded down

enum class TessParity : uint8_t { Even, Odd };

class TessellatedEdge {
public:
  // factor: at least 1, at most 64.
  TessellatedEdge(float factor, TessParity parity);

  TessParity parity() const { return m_parity; }
  Fixed factor() const { return m_factor; }
  unsigned pointCount() const { return m_pointCount; }
  // The place of a point. An even edge's middle is exactly 1/2.
  Fixed place(unsigned point) const;
  // The points of one half that take part in splitting: all but the middle point of an even edge, or the points at the
  // middle segment of an odd edge.
  unsigned splittingPoints() const { return m_halfPoints - (m_parity == TessParity::Odd ? 1 : 0); }

private:
  TessParity m_parity;
  Fixed m_factor;
  unsigned m_pointCount = 0;
  unsigned m_halfPoints = 0; // without the middle point
  Fixed m_fraction = 0;      // place of the factor between the lower and the higher number of segments
  unsigned m_split = 0; // the point that is splitting off; points behind it have another number in the lower division
  Fixed m_lowerSegment = 0, m_upperSegment = 0; // lengths of segments
};

// Rows of point numbers that run the same way. The outer row is on the left, seen in running direction.
using PointRow = std::span<const uint32_t>;
// Takes clockwise triangles.
using TriangleSink = std::function<void(uint32_t, uint32_t, uint32_t)>;

// Connects rows of different division: points advance in the order in which they split off as factors grow.
void stitchTransition(PointRow inside, const TessellatedEdge &insideEdge, PointRow outside,
                      const TessellatedEdge &outsideEdge, const TriangleSink &sink);

enum class Diagonals : uint8_t {
  InsideToOutside,             // all parallel
  InsideToOutsideExceptMiddle, // mirrored in the middle quad only
  Mirrored,                    // about the middle
};
// Connects rows of the same division. isTrapezoid: the outside row is one point longer at each end.
void stitchRegular(bool isTrapezoid, Diagonals diagonals, PointRow inside, PointRow outside, const TriangleSink &sink);

} // namespace dovetail::emulator
