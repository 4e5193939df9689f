// SPDX-License-Identifier: MIT
//
// Coordinates as the hardware wants them, computed with constants.
#include "src/lgc/builder/image/image_address.h"
#include "tests/lgc/builder/constant_evaluator.h"
#include <cmath>
#include <doctest/doctest.h>

using namespace lgc;
using lgc::test::Workbench;

namespace {

struct Place {
  double face, s, t;
};

// Vulkan's table of cube map faces, with s and t in [1, 2].
Place placeOf(double x, double y, double z) {
  double ax = std::abs(x), ay = std::abs(y), az = std::abs(z);
  double face, sc, tc, ma;
  if (az >= ax && az >= ay) {
    face = z < 0 ? 5 : 4, sc = z < 0 ? -x : x, tc = -y, ma = az;
  } else if (ay >= ax) {
    face = y < 0 ? 3 : 2, sc = x, tc = y < 0 ? -z : z, ma = ay;
  } else {
    face = x < 0 ? 1 : 0, sc = x < 0 ? z : -z, tc = -y, ma = ax;
  }
  return {face, sc / ma / 2 + 1.5, tc / ma / 2 + 1.5};
}

const std::vector<std::vector<double>> Directions = {{3, 1, 0.5},  {-3, 1, 0.5}, {1, 3, 0.5},
                                                     {1, -3, 0.5}, {1, 0.5, 3},  {1, 0.5, -3},
                                                     {-1, -2, -4}, {-5, 4, 2},   {0.1, 0.2, -0.3}};

std::vector<double> numbersOf(Workbench &bench, llvm::ArrayRef<Value *> values) {
  std::vector<double> numbers;
  for (Value *value : values)
    numbers.push_back(bench.number(value));
  return numbers;
}

} // namespace

TEST_CASE("directions find their place on the faces of a cube") {
  for (const std::vector<double> &direction : Directions) {
    Workbench bench;
    ImageAddress address = sampleAddress(bench.builder(), ImageDim::Cube, bench.f32Vector(direction), nullptr, nullptr);
    Place place = placeOf(direction[0], direction[1], direction[2]);
    std::vector<double> coords = numbersOf(bench, address.coords);
    REQUIRE(coords.size() == 3);
    CHECK(coords[0] == doctest::Approx(place.s).epsilon(1e-6));
    CHECK(coords[1] == doctest::Approx(place.t).epsilon(1e-6));
    CHECK(coords[2] == place.face);
  }
}

TEST_CASE("the layers of a cube array are eight faces apart, and rounded") {
  Workbench bench;
  ImageAddress address =
      sampleAddress(bench.builder(), ImageDim::CubeArray, bench.f32Vector({1, 3, 0.5, 4.6}), nullptr, nullptr);
  CHECK(numbersOf(bench, address.coords)[2] == 5 * 8 + 2);
}

TEST_CASE("gradients of cubes are what small steps do") {
  const std::vector<double> stepX = {0.3, -0.2, 0.1}, stepY = {-0.1, 0.25, 0.4};
  for (const std::vector<double> &direction : Directions) {
    CAPTURE(direction[0]);
    CAPTURE(direction[1]);
    CAPTURE(direction[2]);
    Workbench bench;
    ImageAddress address = sampleAddress(bench.builder(), ImageDim::Cube, bench.f32Vector(direction),
                                         bench.f32Vector(stepX), bench.f32Vector(stepY));
    std::vector<double> gradients = numbersOf(bench, address.gradients);
    REQUIRE(gradients.size() == 4);
    Place here = placeOf(direction[0], direction[1], direction[2]);
    for (unsigned i = 0; i < 2; ++i) {
      const std::vector<double> &step = i ? stepY : stepX;
      constexpr double Small = 1e-6;
      Place there =
          placeOf(direction[0] + Small * step[0], direction[1] + Small * step[1], direction[2] + Small * step[2]);
      CHECK(gradients[2 * i] == doctest::Approx((there.s - here.s) / Small).epsilon(1e-3));
      CHECK(gradients[2 * i + 1] == doctest::Approx((there.t - here.t) / Small).epsilon(1e-3));
    }
  }
}

TEST_CASE("one-dimensional images are the middle of a row of a two-dimensional one") {
  Workbench bench;
  ImageAddress plain = sampleAddress(bench.builder(), ImageDim::Dim1D, bench.f32(0.25), bench.f32(1), bench.f32(2));
  CHECK(plain.dim == "2d");
  CHECK(numbersOf(bench, plain.coords) == std::vector<double>{0.25, 0.5});
  CHECK(numbersOf(bench, plain.gradients) == std::vector<double>{1, 0, 2, 0});
  ImageAddress array =
      sampleAddress(bench.builder(), ImageDim::Array1D, bench.f32Vector({0.25, 2.5}), nullptr, nullptr);
  CHECK(array.dim == "2darray");
  CHECK(numbersOf(bench, array.coords) == std::vector<double>{0.25, 0.5, 2}); // to even
  ImageAddress texel =
      texelAddress(bench.builder(), ImageDim::Array1D, bench.vector({bench.i32(7), bench.i32(3)}), nullptr);
  REQUIRE(texel.coords.size() == 3);
  CHECK(bench.integer(texel.coords[0]) == 7);
  CHECK(bench.integer(texel.coords[1]) == 0);
  CHECK(bench.integer(texel.coords[2]) == 3);
}
