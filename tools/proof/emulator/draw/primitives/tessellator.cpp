// SPDX-License-Identifier: MIT
//
// Triangle and quad domains are divided into concentric rings. The outermost ring follows the outer factors, the others
// the inner factors; so rows of different division meet between the outermost ring and the next. Points are numbered
// ring by ring, clockwise. The innermost ring may be a single point, or a row of points that is walked there and back.
#include "tools/proof/emulator/draw/primitives/tessellator.h"
#include "tools/proof/emulator/draw/primitives/tessellated_edge.h"
#include <algorithm>
#include <cmath>
#include <span>

namespace dovetail::emulator {

namespace {

struct FactorRange {
  float lowest, highest;
};

FactorRange rangeOf(TessPartitioning partitioning) {
  switch (partitioning) {
  case TessPartitioning::FractionalOdd:
    return {1, 63};
  case TessPartitioning::FractionalEven:
    return {2, 64};
  case TessPartitioning::Integer:
  case TessPartitioning::Pow2:
    break;
  }
  return {1, 64};
}

bool isInteger(TessPartitioning partitioning) {
  return partitioning == TessPartitioning::Integer || partitioning == TessPartitioning::Pow2;
}

// NaN becomes the lowest factor.
float clampFactor(float factor, FactorRange range, TessPartitioning partitioning) {
  factor = factor > range.lowest ? std::min(factor, range.highest) : range.lowest;
  return isInteger(partitioning) ? std::ceil(factor) : factor;
}

TessParity parityOf(float factor, TessPartitioning partitioning) {
  if (isInteger(partitioning))
    return unsigned(factor) % 2 == 0 ? TessParity::Even : TessParity::Odd;
  return partitioning == TessPartitioning::FractionalOdd ? TessParity::Odd : TessParity::Even;
}

TessellatedEdge outerEdge(float factor, TessPartitioning partitioning) {
  return {factor, parityOf(factor, partitioning)};
}

// An inner factor of 1 counts as even: there is a point in the middle, and the ring around the point has no height.
TessellatedEdge innerEdge(float factor, TessPartitioning partitioning) {
  if (isInteger(partitioning) && factor == 1)
    return {factor, TessParity::Even};
  return {factor, parityOf(factor, partitioning)};
}

// Points along the whole axis, enough for at least one inner ring.
unsigned innerPointCount(const TessellatedEdge &edge) {
  return std::max(edge.pointCount(), edge.parity() == TessParity::Odd ? 4u : 3u);
}

float toFloat(Fixed value) {
  return float(double(value) / FixedOne);
}

// The clamped factors, and the divisions that they give.
struct Division {
  std::vector<TessellatedEdge> outer, inner;
  bool isMinimal = false; // all factors are 1
};

// Whether the factor is more than 1 in fixed point.
bool isMoreThanOne(float factor) {
  return factor > 1 + 0.5f / FixedOne;
}

Division divide(const TessMode &mode, std::span<const float> outer, std::span<const float> inner) {
  Division division;
  FactorRange range = rangeOf(mode.partitioning);
  std::vector<float> clamped;
  for (float factor : outer)
    clamped.push_back(clampFactor(factor, range, mode.partitioning));
  for (float factor : clamped)
    division.outer.push_back(outerEdge(factor, mode.partitioning));

  // With odd fractional factors, an inner factor of 1 would leave no inner ring for the other edges.
  if (mode.partitioning == TessPartitioning::FractionalOdd &&
      (std::ranges::any_of(clamped, isMoreThanOne) || (inner.size() > 1 && std::ranges::any_of(inner, isMoreThanOne))))
    range.lowest = 1 + 1.0f / FixedOne;
  for (float factor : inner)
    division.inner.push_back(innerEdge(clampFactor(factor, range, mode.partitioning), mode.partitioning));

  auto isOne = [](const TessellatedEdge &edge) { return edge.factor() == FixedOne; };
  division.isMinimal = std::ranges::all_of(division.outer, isOne) && std::ranges::all_of(division.inner, isOne);
  return division;
}

using Row = std::vector<uint32_t>;
using Ring = std::vector<Row>; // a row of points for each edge, from corner to corner

class Tessellation {
public:
  explicit Tessellation(const TessMode &mode) : m_mode(mode) {}

  TessellatedPatch finish() {
    if (m_mode.topology == TessTopology::Point)
      for (uint32_t i = 0; i < m_patch.points.size(); ++i)
        m_patch.indices.push_back(i);
    m_patch.corners = m_mode.topology == TessTopology::Point ? 1 : m_mode.topology == TessTopology::Line ? 2 : 3;
    return std::move(m_patch);
  }

protected:
  uint32_t addPoint(Fixed u, Fixed v) {
    m_patch.points.push_back({toFloat(u), toFloat(v)});
    return uint32_t(m_patch.points.size() - 1);
  }
  void addLine(uint32_t begin, uint32_t end) {
    if (m_mode.topology == TessTopology::Line)
      m_patch.indices.insert(m_patch.indices.end(), {begin, end});
  }
  void addClockwise(uint32_t a, uint32_t b, uint32_t c) {
    if (m_mode.topology == TessTopology::TriangleClockwise)
      m_patch.indices.insert(m_patch.indices.end(), {a, b, c});
    else if (m_mode.topology == TessTopology::TriangleCounterClockwise)
      m_patch.indices.insert(m_patch.indices.end(), {a, c, b});
  }
  TriangleSink sink() {
    return [this](uint32_t a, uint32_t b, uint32_t c) { addClockwise(a, b, c); };
  }

  // An edge ends where the next begins.
  static void closeRing(Ring &ring) {
    for (size_t edge = 0; edge < ring.size(); ++edge)
      ring[edge].push_back(ring[(edge + 1) % ring.size()].front());
  }

  // Connects ring n of the points with the ring around it. `along`: the inner division that runs along each edge.
  void stitchRings(const std::vector<Ring> &rings, const Division &division,
                   std::span<const TessellatedEdge *const> along) {
    for (size_t i = 1; i < rings.size(); ++i)
      for (size_t edge = 0; edge < along.size(); ++edge) {
        const Row &inside = rings[i][edge], &outside = rings[i - 1][edge];
        if (i == 1)
          stitchTransition(inside, *along[edge], outside, division.outer[edge], sink());
        else
          stitchRegular(true, Diagonals::Mirrored, inside, outside, sink());
      }
  }

  TessMode m_mode;
  TessellatedPatch m_patch;
};

// Edges clockwise: u = 0 (v falls), v = 0 (u rises), u = 1 (v rises), v = 1 (u falls).
class QuadTessellation : public Tessellation {
public:
  using Tessellation::Tessellation;

  void run(const TessFactors &factors) {
    m_division = divide(m_mode, factors.outer, factors.inner);
    if (m_division.isMinimal)
      return addMinimal();
    for (unsigned axis = 0; axis < 2; ++axis)
      m_count[axis] = innerPointCount(m_division.inner[axis]);
    addOuterRing();
    const unsigned innerRings = std::min(m_count[U], m_count[V]) / 2;
    for (unsigned ring = 1; ring < innerRings; ++ring)
      addInnerRing(ring);
    addMiddleRow(innerRings);

    // From here on, all points exist.
    const TessellatedEdge *const along[] = {&m_division.inner[V], &m_division.inner[U], &m_division.inner[V],
                                            &m_division.inner[U]};
    stitchRings(m_rings, m_division, along);
    fillMiddle();
  }

private:
  enum Axis : unsigned { U, V };
  static Axis alongEdge(unsigned edge) { return edge % 2 == 0 ? V : U; }
  static bool rises(unsigned edge) { return edge == 1 || edge == 2; }
  bool isEven(Axis axis) const { return m_division.inner[axis].parity() == TessParity::Even; }

  uint32_t addOn(unsigned edge, Fixed along, Fixed across) {
    return alongEdge(edge) == V ? addPoint(across, along) : addPoint(along, across);
  }

  void addMinimal() {
    addPoint(0, 0);
    addPoint(FixedOne, 0);
    addPoint(FixedOne, FixedOne);
    addPoint(0, FixedOne);
    addClockwise(0, 1, 3);
    addClockwise(1, 2, 3);
  }

  void addOuterRing() {
    Ring ring(4);
    for (unsigned edge = 0; edge < 4; ++edge) {
      const TessellatedEdge &division = m_division.outer[edge];
      const unsigned last = division.pointCount() - 1;
      for (unsigned i = 0; i < last; ++i)
        ring[edge].push_back(addOn(edge, division.place(rises(edge) ? i : last - i), edge < 2 ? 0 : FixedOne));
    }
    closeRing(ring);
    m_rings.push_back(std::move(ring));
  }

  void addInnerRing(unsigned number) {
    Ring ring(4);
    for (unsigned edge = 0; edge < 4; ++edge) {
      const Axis along = alongEdge(edge), across = along == U ? V : U;
      const unsigned last = m_count[along] - 1 - number;
      const unsigned acrossPoint = edge < 2 ? number : m_count[across] - 1 - number;
      for (unsigned i = number; i < last; ++i) {
        const unsigned point = rises(edge) ? i : last - (i - number);
        ring[edge].push_back(
            addOn(edge, m_division.inner[along].place(point), m_division.inner[across].place(acrossPoint)));
      }
    }
    closeRing(ring);
    m_rings.push_back(std::move(ring));
  }

  // If the shorter axis is even, the innermost ring is a row along the longer axis, walked on both sides.
  void addMiddleRow(unsigned number) {
    const bool isAlongU = m_count[U] > m_count[V];
    if (!isEven(isAlongU ? V : U))
      return;
    const Axis along = isAlongU ? U : V;
    Row row;
    for (unsigned i = number; i < m_count[along] - number; ++i)
      row.push_back(isAlongU ? addPoint(m_division.inner[U].place(i), FixedHalf)
                             : addPoint(FixedHalf, m_division.inner[V].place(m_count[V] - 1 - i)));
    const Row back(row.rbegin(), row.rend()), first = {row.front()}, last = {row.back()};
    m_rings.push_back(isAlongU ? Ring{first, row, last, back} : Ring{row, last, back, first});
  }

  // If the shorter axis is odd, the innermost ring encloses a strip of quads.
  void fillMiddle() {
    const bool isAlongU = m_count[U] > m_count[V];
    if (isEven(isAlongU ? V : U))
      return;
    const Ring &ring = m_rings.back();
    const Row &opposite = ring[isAlongU ? 3 : 2];
    const Row inside(opposite.rbegin(), opposite.rend());
    const Diagonals diagonals =
        isAlongU || isEven(V) ? Diagonals::InsideToOutside : Diagonals::InsideToOutsideExceptMiddle;
    stitchRegular(false, diagonals, inside, ring[isAlongU ? 1 : 0], sink());
  }

  Division m_division;
  std::array<unsigned, 2> m_count = {}; // points along the inner divisions
  std::vector<Ring> m_rings;
};

// Edges clockwise: u = 0 (v falls), v = 0 (u rises), w = 0 (u falls).
class TriangleTessellation : public Tessellation {
public:
  using Tessellation::Tessellation;

  void run(const TessFactors &factors) {
    m_division = divide(m_mode, std::span(factors.outer).first(3), std::span(factors.inner).first(1));
    if (m_division.isMinimal)
      return addMinimal();
    m_count = innerPointCount(m_division.inner[0]);
    const bool isEven = m_division.inner[0].parity() == TessParity::Even;
    addOuterRing();
    for (unsigned ring = 1; ring < m_count / 2; ++ring)
      addInnerRing(ring);
    if (isEven) {
      const Row middle = {addPoint(FixedThird, FixedThird)};
      m_rings.push_back({middle, middle, middle});
    }

    // From here on, all points exist.
    const TessellatedEdge *inner = m_division.inner.data();
    const TessellatedEdge *const along[] = {inner, inner, inner};
    stitchRings(m_rings, m_division, along);
    if (!isEven)
      addClockwise(m_rings.back()[0].front(), m_rings.back()[1].front(), m_rings.back()[2].front());
  }

private:
  void addMinimal() {
    addPoint(0, FixedOne);
    addPoint(0, 0);
    addPoint(FixedOne, 0);
    addClockwise(0, 1, 2);
  }

  // across: the coordinate that is constant on the edge. along: the other computed coordinate, v on the first edge and
  // u on the others.
  uint32_t addOn(unsigned edge, Fixed along, Fixed across) {
    if (edge == 0)
      return addPoint(across, along);
    return addPoint(along, edge == 1 ? across : FixedOne - along - across);
  }

  void addOuterRing() {
    Ring ring(3);
    for (unsigned edge = 0; edge < 3; ++edge) {
      const TessellatedEdge &division = m_division.outer[edge];
      const unsigned last = division.pointCount() - 1;
      for (unsigned i = 0; i < last; ++i)
        ring[edge].push_back(addOn(edge, division.place(edge == 1 ? i : last - i), 0));
    }
    closeRing(ring);
    m_rings.push_back(std::move(ring));
  }

  void addInnerRing(unsigned number) {
    const TessellatedEdge &division = m_division.inner[0];
    // The centre, where a half of the division ends, is a third of the way in.
    const auto across = Fixed((uint64_t(division.place(number)) * FixedTwoThirds + FixedHalf) >> FixedBits);
    const unsigned last = m_count - 1 - number;
    Ring ring(3);
    for (unsigned edge = 0; edge < 3; ++edge)
      for (unsigned i = number; i < last; ++i) {
        const unsigned point = edge == 1 ? i : last - (i - number);
        ring[edge].push_back(addOn(edge, division.place(point) - (across + 1) / 2, across));
      }
    closeRing(ring);
    m_rings.push_back(std::move(ring));
  }

  Division m_division;
  unsigned m_count = 0; // points along the inner division
  std::vector<Ring> m_rings;
};

// Lines of constant v, the last at v < 1. Their number is always an integer.
class IsolineTessellation : public Tessellation {
public:
  using Tessellation::Tessellation;

  void run(const TessFactors &factors) {
    const float lines = clampFactor(factors.outer[0], {1, 64}, TessPartitioning::Integer);
    const float segments = clampFactor(factors.outer[1], rangeOf(m_mode.partitioning), m_mode.partitioning);
    const TessellatedEdge alongV = outerEdge(lines, TessPartitioning::Integer);
    const TessellatedEdge alongU = outerEdge(segments, m_mode.partitioning);
    for (unsigned line = 0; line + 1 < alongV.pointCount(); ++line)
      for (unsigned i = 0; i < alongU.pointCount(); ++i) {
        const uint32_t point = addPoint(alongU.place(i), alongV.place(line));
        if (i > 0)
          addLine(point - 1, point);
      }
  }
};

template <typename Domain> TessellatedPatch run(const TessMode &mode, const TessFactors &factors) {
  Domain domain(mode);
  domain.run(factors);
  return domain.finish();
}

} // namespace

TessellatedPatch tessellatePatch(const TessMode &mode, const TessFactors &factors) {
  static constexpr unsigned OuterFactors[] = {2, 3, 4}; // by domain
  for (unsigned i = 0; i < OuterFactors[unsigned(mode.domain)]; ++i)
    if (!(factors.outer[i] > 0)) // or NaN
      return {};
  switch (mode.domain) {
  case TessDomain::Isoline:
    return run<IsolineTessellation>(mode, factors);
  case TessDomain::Triangle:
    return run<TriangleTessellation>(mode, factors);
  case TessDomain::Quad:
    break;
  }
  return run<QuadTessellation>(mode, factors);
}

} // namespace dovetail::emulator
