// SPDX-License-Identifier: MIT
#include "tools/common/report/scale.h"
#include <cmath>
#include <doctest/doctest.h>

using namespace dovetail::report;

TEST_CASE("a plain axis begins at zero and ends at the largest value") {
  const Scale scale({"x"}, {2, 8}, 100, 200);
  CHECK(scale.pixel(0) == 100);
  CHECK(scale.pixel(8) == 200);
  CHECK(scale.pixel(4) == 150);
  CHECK(scale.ticks(4) == std::vector<double>{0, 2, 4, 6, 8});
  CHECK(scale.ticks(3) == std::vector<double>{0, 5});
}

TEST_CASE("a logarithmic axis is marked at powers of ten") {
  const Scale scale({"x", Unit::Plain, true}, {3, 2000}, 0, 100);
  CHECK(scale.ticks(8) == std::vector<double>{10, 100, 1000});
  CHECK(scale.pixel(100) - scale.pixel(10) == doctest::Approx(scale.pixel(1000) - scale.pixel(100)));
  CHECK(scale.pixel(3) > 0);
  CHECK(scale.pixel(2000) < 100);
  CHECK_FALSE(scale.has(0));
  CHECK(scale.has(0.1));
}

TEST_CASE("few marks of many decades are evenly apart") {
  const Scale scale({"x", Unit::Plain, true}, {1, 1e8}, 0, 100);
  CHECK(scale.ticks(5) == std::vector<double>{1, 100, 1e4, 1e6, 1e8});
}

TEST_CASE("an axis without values, or with one, can be drawn") {
  for (bool isLogarithmic : {false, true})
    for (const std::vector<double> &values : {std::vector<double>{}, {NAN}, {0}, {5}}) {
      CAPTURE(isLogarithmic);
      CAPTURE(values.size());
      const Scale scale({"x", Unit::Plain, isLogarithmic}, values, 0, 100);
      CHECK(std::isfinite(scale.pixel(5)));
      CHECK(scale.ticks(4).size() <= 6);
    }
}
