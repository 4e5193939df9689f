// SPDX-License-Identifier: MIT
#include "tools/programs/layer/session/bind_costs.h"
#include <doctest/doctest.h>

using namespace dovetail::layer;

TEST_CASE("each value is in a step that ends at most an eighth above it") {
  for (uint64_t value : {0ull, 1ull, 7ull, 8ull, 9ull, 15ull, 16ull, 17ull, 100ull, 1000ull, 123456789ull}) {
    CAPTURE(value);
    const uint64_t end = Histogram::endOf(Histogram::stepOf(value));
    CHECK(end >= value);
    CHECK(end <= value + value / 8);
  }
}

TEST_CASE("steps follow each other without a gap") {
  for (size_t step = 1; step < Histogram::StepCount; ++step) {
    CHECK(Histogram::endOf(step) > Histogram::endOf(step - 1));
    CHECK(Histogram::stepOf(Histogram::endOf(step - 1) + 1) == step);
    CHECK(Histogram::stepOf(Histogram::endOf(step)) == step);
  }
}

TEST_CASE("what is longer than the last step is counted in it") {
  CHECK(Histogram::stepOf(~uint64_t(0)) == Histogram::StepCount - 1);
}

TEST_CASE("percentiles are those of the values") {
  Histogram histogram;
  CHECK(histogram.percentile(0.5) == 0);
  for (uint64_t value = 1; value <= 100; ++value)
    histogram.add(value * 1000);
  const uint64_t median = histogram.percentile(0.5), p99 = histogram.percentile(0.99);
  CHECK(median >= 50000);
  CHECK(median <= 57500);
  CHECK(p99 >= 99000);
  CHECK(p99 <= 100000);
  CHECK(histogram.percentile(1) == 100000);
  CHECK(histogram.most() == 100000);
  CHECK(histogram.sum() == 5050 * 1000);
}

TEST_CASE("histograms add up") {
  Histogram first, second;
  first.add(10);
  second.add(1000);
  first.add(second);
  CHECK(first.count() == 2);
  CHECK(first.most() == 1000);
  CHECK(first.sum() == 1010);
}
