// SPDX-License-Identifier: MIT
#include "tools/proof/emulator/draw/primitives/tessellator.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>

using namespace dovetail::emulator;

namespace {

constexpr float NotANumber = std::numeric_limits<float>::quiet_NaN();

TessMode triangles(TessPartitioning partitioning) {
  return {TessDomain::Triangle, partitioning, TessTopology::TriangleClockwise};
}
TessMode quads(TessPartitioning partitioning) {
  return {TessDomain::Quad, partitioning, TessTopology::TriangleClockwise};
}
TessFactors all(float factor) {
  return {{factor, factor, factor, factor}, {factor, factor}};
}

std::string points(const TessellatedPatch &patch) {
  std::string text;
  for (DomainPoint point : patch.points)
    text += fmt::format("{}({:.4g} {:.4g})", text.empty() ? "" : " ", point.u, point.v);
  return text;
}
std::string primitives(const TessellatedPatch &patch) {
  std::string text;
  for (size_t i = 0; i < patch.indices.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i % patch.corners == 0 ? ", " : " ", patch.indices[i]);
  return text;
}

double area(const TessellatedPatch &patch) {
  double total = 0;
  for (size_t i = 0; i < patch.indices.size(); i += 3) {
    const DomainPoint a = patch.points[patch.indices[i]], b = patch.points[patch.indices[i + 1]],
                      c = patch.points[patch.indices[i + 2]];
    total += (double(b.u - a.u) * (c.v - a.v) - double(b.v - a.v) * (c.u - a.u)) / 2;
  }
  return total;
}

// The places between 0 and 1 that divide an edge.
std::vector<float> edge(const TessellatedPatch &patch, bool (*isOn)(DomainPoint), float DomainPoint::*along) {
  std::set<float> places;
  for (DomainPoint point : patch.points)
    if (isOn(point))
      places.insert(point.*along);
  return {places.begin(), places.end()};
}

// Every edge of a triangle inside the domain belongs to two triangles, in opposite directions; those on the border to
// one. Triangles without height join points in the same place.
void checkClosed(const TessellatedPatch &patch, bool isQuad) {
  std::map<std::pair<uint32_t, uint32_t>, int> edges;
  for (size_t i = 0; i < patch.indices.size(); i += 3)
    for (unsigned corner = 0; corner < 3; ++corner)
      ++edges[{patch.indices[i + corner], patch.indices[i + (corner + 1) % 3]}];
  auto onBorder = [&](DomainPoint a, DomainPoint b) {
    auto both = [](float x, float y, float value) { return x == value && y == value; };
    if (both(a.u, b.u, 0) || both(a.v, b.v, 0))
      return true;
    return isQuad ? both(a.u, b.u, 1) || both(a.v, b.v, 1) : a.u + a.v == 1 && b.u + b.v == 1;
  };
  for (const auto &[ends, count] : edges) {
    CHECK(count == 1);
    const bool hasTwin = edges.contains({ends.second, ends.first});
    CHECK((hasTwin || onBorder(patch.points[ends.first], patch.points[ends.second])));
  }
}

} // namespace

TEST_CASE("factors of 1 make the smallest patches") {
  const TessellatedPatch triangle = tessellatePatch(triangles(TessPartitioning::Integer), all(1));
  CHECK(points(triangle) == "(0 1) (0 0) (1 0)");
  CHECK(primitives(triangle) == "0 1 2");
  const TessellatedPatch quad = tessellatePatch(quads(TessPartitioning::FractionalOdd), all(1));
  CHECK(points(quad) == "(0 0) (1 0) (1 1) (0 1)");
  CHECK(primitives(quad) == "0 1 3, 1 2 3");
}

TEST_CASE("factors of 2: a fan around the middle") {
  const TessellatedPatch triangle = tessellatePatch(triangles(TessPartitioning::Integer), all(2));
  CHECK(points(triangle) == "(0 1) (0 0.5) (0 0) (0.5 0) (1 0) (0.5 0.5) (0.3333 0.3333)");
  CHECK(primitives(triangle) == "0 1 6, 1 2 6, 2 3 6, 3 4 6, 4 5 6, 5 0 6");
  const TessellatedPatch quad = tessellatePatch(quads(TessPartitioning::FractionalEven), all(2));
  CHECK(points(quad) == "(0 1) (0 0.5) (0 0) (0.5 0) (1 0) (1 0.5) (1 1) (0.5 1) (0.5 0.5)");
  CHECK(primitives(quad) == "0 1 8, 1 2 8, 2 3 8, 3 4 8, 4 5 8, 5 6 8, 6 7 8, 7 0 8");
}

TEST_CASE("a triangle of factors 3 has a triangle inside") {
  const TessellatedPatch patch = tessellatePatch(triangles(TessPartitioning::Integer), all(3));
  // The inner triangle's corners lie two thirds of the way from a corner to the middle.
  CHECK(points(patch) == "(0 1) (0 0.6667) (0 0.3333) (0 0) (0.3333 0) (0.6667 0) (1 0) (0.6667 0.3333) "
                         "(0.3333 0.6667) (0.2222 0.5556) (0.2222 0.2222) (0.5556 0.2222)");
  CHECK(patch.indices.size() == 3 * 13);
  CHECK((std::vector(patch.indices.end() - 3, patch.indices.end()) == std::vector<uint32_t>{9, 10, 11}));
}

TEST_CASE("outer edges follow their own factors") {
  const TessellatedPatch quad = tessellatePatch(quads(TessPartitioning::Integer), {{1, 2, 3, 4}, {5, 6}});
  CHECK((edge(
             quad, [](DomainPoint p) { return p.u == 0; }, &DomainPoint::v)
             .size() == 2));
  CHECK((edge(
             quad, [](DomainPoint p) { return p.v == 0; }, &DomainPoint::u)
             .size() == 3));
  CHECK((edge(
             quad, [](DomainPoint p) { return p.u == 1; }, &DomainPoint::v)
             .size() == 4));
  CHECK((edge(
             quad, [](DomainPoint p) { return p.v == 1; }, &DomainPoint::u)
             .size() == 5));
  // 10 points on the border, 4 * 5 inside.
  CHECK(quad.points.size() == 30);
}

TEST_CASE("points of a fractional edge are between where they are for the whole factors around it") {
  // Odd, 2: half way between one segment and three. The points of 1/3 and 2/3 come from the ends.
  const TessellatedPatch odd = tessellatePatch(triangles(TessPartitioning::FractionalOdd), all(2));
  std::vector<float> places = edge(
      odd, [](DomainPoint p) { return p.v == 0; }, &DomainPoint::u);
  REQUIRE(places.size() == 4);
  CHECK(places[1] == doctest::Approx(1.0 / 6).epsilon(1e-4));
  CHECK(places[2] == 1 - places[1]);
  // Even, 3: half way between two and four. The points of 1/4 and 3/4 come from the middle.
  const TessellatedPatch even = tessellatePatch(triangles(TessPartitioning::FractionalEven), all(3));
  places = edge(
      even, [](DomainPoint p) { return p.v == 0; }, &DomainPoint::u);
  REQUIRE(places.size() == 5);
  CHECK(places[1] == 0.375f);
  CHECK(places[2] == 0.5f);
  CHECK(places[3] == 0.625f);
}

TEST_CASE("factors are rounded up and clamped as the partitioning says") {
  auto segments = [](TessPartitioning partitioning, float factor) {
    const TessellatedPatch patch = tessellatePatch(quads(partitioning), {{1, factor, 1, 1}, {1, 1}});
    return edge(
               patch, [](DomainPoint p) { return p.v == 0; }, &DomainPoint::u)
               .size() -
           1;
  };
  CHECK(segments(TessPartitioning::Integer, 0.25f) == 1);
  CHECK(segments(TessPartitioning::Integer, 4.01f) == 5);
  CHECK(segments(TessPartitioning::Integer, 1000) == 64);
  CHECK(segments(TessPartitioning::FractionalOdd, 1000) == 63);
  CHECK(segments(TessPartitioning::FractionalOdd, 3) == 3);
  CHECK(segments(TessPartitioning::FractionalOdd, 3.5f) == 5);
  CHECK(segments(TessPartitioning::FractionalEven, 1) == 2);
  CHECK(segments(TessPartitioning::FractionalEven, 4.5f) == 6);
  CHECK(segments(TessPartitioning::FractionalEven, 1000) == 64);
}

TEST_CASE("patches with an outer factor of 0 or less, or none, are culled; inner factors do not cull") {
  for (float factor : {0.0f, -1.0f, NotANumber}) {
    CAPTURE(factor);
    CHECK(tessellatePatch(triangles(TessPartitioning::Integer), {{1, factor, 1}, {4}}).points.empty());
    CHECK(tessellatePatch(quads(TessPartitioning::Integer), {{1, 1, 1, factor}, {4, 4}}).points.empty());
    CHECK(!tessellatePatch(triangles(TessPartitioning::Integer), {{1, 1, 1, factor}, {4}}).points.empty());
    CHECK(!tessellatePatch(quads(TessPartitioning::FractionalOdd), {{1, 1, 1, 3}, {factor, factor}}).points.empty());
  }
}

TEST_CASE("triangles cover the domain once, whatever the factors") {
  const TessFactors factors[] = {all(1),
                                 all(4.3f),
                                 all(64),
                                 {{1, 7.5f, 3, 12}, {2.25f, 9}},
                                 {{5, 5, 5, 5}, {1, 1}},
                                 {{1, 1, 1, 1}, {8, 3}},
                                 {{2, 64, 1, 33.3f}, {1.01f, 17}},
                                 {{9, 1, 6, 2}, {20, 5}}};
  for (TessPartitioning partitioning :
       {TessPartitioning::Integer, TessPartitioning::FractionalOdd, TessPartitioning::FractionalEven})
    for (const TessFactors &factor : factors) {
      CAPTURE(int(partitioning));
      CAPTURE(factor.outer[0]);
      const TessellatedPatch triangle = tessellatePatch(triangles(partitioning), factor);
      CHECK(std::abs(area(triangle)) == doctest::Approx(0.5).epsilon(1e-5));
      checkClosed(triangle, false);
      const TessellatedPatch quad = tessellatePatch(quads(partitioning), factor);
      CHECK(std::abs(area(quad)) == doctest::Approx(1).epsilon(1e-5));
      checkClosed(quad, true);
    }
}

TEST_CASE("a shared edge is divided at the same places from both sides") {
  for (float factor : {1.0f, 2.0f, 3.7f, 17.2f, 41.6f, 62.9f})
    for (TessPartitioning partitioning :
         {TessPartitioning::Integer, TessPartitioning::FractionalOdd, TessPartitioning::FractionalEven}) {
      CAPTURE(factor);
      const TessellatedPatch left = tessellatePatch(quads(partitioning), {{1, 2, factor, 3}, {4, 5}});
      const TessellatedPatch right = tessellatePatch(quads(partitioning), {{factor, 9, 8, 7}, {6, 11}});
      const std::vector<float> places = edge(
          left, [](DomainPoint p) { return p.u == 1; }, &DomainPoint::v);
      CHECK((places == edge(
                           right, [](DomainPoint p) { return p.u == 0; }, &DomainPoint::v)));
      // Seen from the other end, the places are the same, too.
      for (size_t i = 0; i < places.size(); ++i)
        CHECK(places[i] == 1 - places[places.size() - 1 - i]);
    }
}

TEST_CASE("counter-clockwise triangles are the clockwise ones, the other way round") {
  TessMode mode = quads(TessPartitioning::Integer);
  const TessellatedPatch clockwise = tessellatePatch(mode, all(3));
  mode.topology = TessTopology::TriangleCounterClockwise;
  const TessellatedPatch counter = tessellatePatch(mode, all(3));
  REQUIRE(counter.indices.size() == clockwise.indices.size());
  for (size_t i = 0; i < counter.indices.size(); i += 3) {
    CHECK(counter.indices[i] == clockwise.indices[i]);
    CHECK(counter.indices[i + 1] == clockwise.indices[i + 2]);
    CHECK(counter.indices[i + 2] == clockwise.indices[i + 1]);
  }
  // Clockwise is from u to v if v points down.
  CHECK(area(clockwise) == doctest::Approx(1));
  CHECK(area(counter) == doctest::Approx(-1));
}

TEST_CASE("points: each point of the domain once") {
  const TessellatedPatch patch =
      tessellatePatch({TessDomain::Triangle, TessPartitioning::Integer, TessTopology::Point}, all(2));
  CHECK(patch.corners == 1);
  CHECK(primitives(patch) == "0, 1, 2, 3, 4, 5, 6");
}

TEST_CASE("isolines: lines of constant v, without the one at 1") {
  const TessMode mode = {TessDomain::Isoline, TessPartitioning::Integer, TessTopology::Line};
  const TessellatedPatch patch = tessellatePatch(mode, {{3, 2}, {}});
  CHECK(points(patch) == "(0 0) (0.5 0) (1 0) (0 0.3333) (0.5 0.3333) (1 0.3333) (0 0.6667) (0.5 0.6667) (1 0.6667)");
  CHECK(primitives(patch) == "0 1, 1 2, 3 4, 4 5, 6 7, 7 8");
  CHECK(tessellatePatch(mode, {{3, 0}, {}}).points.empty());
  // The number of lines is an integer in each partitioning; segments are fractional.
  const TessellatedPatch fractional =
      tessellatePatch({TessDomain::Isoline, TessPartitioning::FractionalEven, TessTopology::Line}, {{1.5f, 3}, {}});
  CHECK(points(fractional) ==
        "(0 0) (0.375 0) (0.5 0) (0.625 0) (1 0) (0 0.5) (0.375 0.5) (0.5 0.5) (0.625 0.5) (1 0.5)");
}
