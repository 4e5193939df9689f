// SPDX-License-Identifier: MIT
//
// One axis of tessellation: an interval [0, 1] that a factor divides, symmetrically about its middle, and how two rows
// of points with different divisions are connected. Factors are odd or even by their number of segments; a fractional
// one lies between two of the same parity, and its points between theirs: one pair of points is splitting off. Source:
// Direct3D 11's reference tessellator (tessellator.h).
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
  // Where a point lies. An even edge's middle is exactly 1/2.
  Fixed place(unsigned point) const;
  // Points of one half, as far as they take part in splitting: without an even edge's middle point, and without an odd
  // edge's points at its middle segment.
  unsigned splittingPoints() const { return m_halfPoints - (m_parity == TessParity::Odd ? 1 : 0); }

private:
  TessParity m_parity;
  Fixed m_factor;
  unsigned m_pointCount = 0;
  unsigned m_halfPoints = 0; // without the middle point
  Fixed m_fraction = 0;      // how far the factor is from the lower number of segments to the higher
  unsigned m_split = 0; // the point that is splitting off; points behind it have another number in the lower division
  Fixed m_lowerSegment = 0, m_upperSegment = 0; // lengths of segments
};

// Rows of point numbers that run the same way, the outer one on the left as seen in the running direction.
using PointRow = std::span<const uint32_t>;
// Takes clockwise triangles.
using TriangleSink = std::function<void(uint32_t, uint32_t, uint32_t)>;

// Between rows of different division: points advance in the order in which they split off as factors grow.
void stitchTransition(PointRow inside, const TessellatedEdge &insideEdge, PointRow outside,
                      const TessellatedEdge &outsideEdge, const TriangleSink &sink);

enum class Diagonals : uint8_t {
  InsideToOutside,             // all parallel
  InsideToOutsideExceptMiddle, // mirrored in the middle quad only
  Mirrored,                    // about the middle
};
// Between rows of the same division. isTrapezoid: the outside row is one point longer at each end.
void stitchRegular(bool isTrapezoid, Diagonals diagonals, PointRow inside, PointRow outside, const TriangleSink &sink);

} // namespace dovetail::emulator
