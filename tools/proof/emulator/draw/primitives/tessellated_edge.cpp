// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/draw/primitives/tessellated_edge.h"
#include <array>
#include <bit>
#include <cmath>

namespace dovetail::emulator {

namespace {

Fixed toFixed(float factor) {
  // Exact in double up to the last rounding, to even.
  return Fixed(std::nearbyint(double(factor) * FixedOne));
}

Fixed floorOf(Fixed value) {
  return value & ~(FixedOne - 1);
}
Fixed ceilOf(Fixed value) {
  return floorOf(value + FixedOne - 1);
}
unsigned wholeOf(Fixed value) {
  return value >> FixedBits;
}
Fixed halfOf(Fixed value) {
  return (value + 1) / 2;
}
// 1 / count, rounded to nearest.
Fixed segmentLength(unsigned count) {
  return (FixedOne + count / 2) / count;
}
unsigned withoutHighestBit(unsigned value) {
  return value ^ std::bit_floor(value);
}

constexpr unsigned MaxSplittingPoints = 33;

// The turn in which each point of a half splits off as factors grow. Point 0 is there from the start. The middle of
// 1..33 comes next, then the middles of the ranges on both sides, and so on; point 1 is the last.
constexpr std::array<unsigned, MaxSplittingPoints> SplitTurns = [] {
  std::array<unsigned, MaxSplittingPoints> turns = {};
  unsigned turn = 1;
  for (unsigned distance = 32; distance > 1; distance /= 2)
    for (unsigned point = distance / 2 + 1; point < MaxSplittingPoints; point += distance)
      turns[point] = turn++;
  turns[1] = turn;
  return turns;
}();

// Makes triangles while walking along two rows.
class Stitcher {
public:
  Stitcher(PointRow inside, PointRow outside, const TriangleSink &sink)
      : m_inside(inside), m_outside(outside), m_sink(sink) {}

  void advanceOutside() {
    m_sink(outside(), outside(1), inside());
    ++m_outsidePoint;
  }
  // The same triangle, beginning at the inside point: the order decides which point provokes.
  void advanceOutsideFromInside() {
    m_sink(inside(), outside(), outside(1));
    ++m_outsidePoint;
  }
  void advanceInside() {
    m_sink(inside(), outside(), inside(1));
    ++m_insidePoint;
  }
  // Quads between the next points of both rows. The diagonal begins at the inside or the outside point.
  void advanceBothFromInside() {
    m_sink(inside(), outside(), outside(1));
    m_sink(inside(), outside(1), inside(1));
    advanceBoth();
  }
  void advanceBothFromOutside() {
    m_sink(outside(), inside(1), inside());
    m_sink(outside(), outside(1), inside(1));
    advanceBoth();
  }
  // The same quads, with triangles that begin at other corners.
  void advanceBothFromInsideOutsideFirst() {
    m_sink(outside(), outside(1), inside());
    m_sink(inside(), outside(1), inside(1));
    advanceBoth();
  }
  void advanceBothFromOutsideInsideFirst() {
    m_sink(inside(), outside(), inside(1));
    m_sink(inside(1), outside(), outside(1));
    advanceBoth();
  }

private:
  uint32_t inside(unsigned ahead = 0) const { return m_inside[m_insidePoint + ahead]; }
  uint32_t outside(unsigned ahead = 0) const { return m_outside[m_outsidePoint + ahead]; }
  void advanceBoth() {
    ++m_insidePoint;
    ++m_outsidePoint;
  }

  PointRow m_inside, m_outside;
  const TriangleSink &m_sink;
  unsigned m_insidePoint = 0, m_outsidePoint = 0;
};

} // namespace

TessellatedEdge::TessellatedEdge(float factor, TessParity parity) : m_parity(parity), m_factor(toFixed(factor)) {
  const bool isOdd = parity == TessParity::Odd;
  Fixed half = halfOf(m_factor);
  m_pointCount = isOdd ? wholeOf(ceilOf(FixedHalf + half) * 2) : wholeOf(ceilOf(half) * 2) + 1;

  // An even edge with one segment is divided as one with two.
  if (isOdd || half == FixedHalf)
    half += FixedHalf;
  const Fixed lower = floorOf(half), upper = ceilOf(half);
  m_fraction = half - lower;
  m_halfPoints = wholeOf(upper);
  if (lower == upper)
    m_split = m_halfPoints + 1; // nothing splits
  else if (isOdd && lower == FixedOne)
    m_split = 0;
  else
    m_split = withoutHighestBit(wholeOf(lower) - (isOdd ? 1 : 0)) * 2 + 1;
  m_lowerSegment = segmentLength(wholeOf(lower) * 2 - (isOdd ? 1 : 0));
  m_upperSegment = segmentLength(wholeOf(upper) * 2 - (isOdd ? 1 : 0));
}

Fixed TessellatedEdge::place(unsigned point) const {
  const bool isMirrored = point >= m_halfPoints;
  if (isMirrored)
    point = m_halfPoints * 2 - point - (m_parity == TessParity::Odd ? 1 : 0);
  if (point == m_halfPoints)
    return FixedHalf;
  const uint64_t onUpper = uint64_t(point) * m_upperSegment;
  const uint64_t onLower = uint64_t(point > m_split ? point - 1 : point) * m_lowerSegment;
  const auto place = Fixed((onLower * (FixedOne - m_fraction) + onUpper * m_fraction + FixedHalf) >> FixedBits);
  return isMirrored ? FixedOne - place : place;
}

void stitchTransition(PointRow inside, const TessellatedEdge &insideEdge, PointRow outside,
                      const TessellatedEdge &outsideEdge, const TriangleSink &sink) {
  const unsigned insideSplits = insideEdge.splittingPoints(), outsideSplits = outsideEdge.splittingPoints();
  Stitcher stitcher(inside, outside, sink);
  // The inside row lacks the outermost point.
  if (SplitTurns[0] < outsideSplits)
    stitcher.advanceOutside();
  for (unsigned point = 1; point < MaxSplittingPoints; ++point) {
    if (SplitTurns[point] < insideSplits)
      stitcher.advanceInside();
    if (SplitTurns[point] < outsideSplits)
      stitcher.advanceOutside();
  }

  // An odd row has a segment in the middle, an even one a point.
  const bool insideIsOdd = insideEdge.parity() == TessParity::Odd,
             outsideIsOdd = outsideEdge.parity() == TessParity::Odd;
  if (insideIsOdd && outsideIsOdd)
    stitcher.advanceBothFromOutsideInsideFirst();
  else if (insideIsOdd)
    stitcher.advanceInside();
  else if (outsideIsOdd)
    stitcher.advanceOutsideFromInside();

  for (unsigned point = MaxSplittingPoints - 1; point > 0; --point) {
    if (SplitTurns[point] < outsideSplits)
      stitcher.advanceOutside();
    if (SplitTurns[point] < insideSplits)
      stitcher.advanceInside();
  }
  if (SplitTurns[0] < outsideSplits)
    stitcher.advanceOutside();
}

void stitchRegular(bool isTrapezoid, Diagonals diagonals, PointRow inside, PointRow outside, const TriangleSink &sink) {
  const size_t quads = inside.size() - 1;
  Stitcher stitcher(inside, outside, sink);
  if (isTrapezoid)
    stitcher.advanceOutside();
  for (size_t quad = 0; quad < quads; ++quad) {
    switch (diagonals) {
    case Diagonals::InsideToOutside:
      stitcher.advanceBothFromInside();
      break;
    case Diagonals::InsideToOutsideExceptMiddle:
      if (quad == quads / 2)
        stitcher.advanceBothFromOutside();
      else
        stitcher.advanceBothFromInsideOutsideFirst();
      break;
    case Diagonals::Mirrored:
      if (quad < inside.size() / 2)
        stitcher.advanceBothFromOutside();
      else
        stitcher.advanceBothFromInside();
      break;
    }
  }
  if (isTrapezoid)
    stitcher.advanceOutside();
}

} // namespace dovetail::emulator
