// SPDX-License-Identifier: MIT
#include "parts/store/distinct_count.h"
#include <cmath>
#include <doctest/doctest.h>

using namespace dovetail;
using store::DistinctCount;

namespace {

Hash128 hashOf(uint64_t number) {
  return Hasher().add(number).finish();
}

DistinctCount countOf(uint64_t first, uint64_t end) {
  DistinctCount count;
  for (uint64_t number = first; number < end; ++number)
    count.add(hashOf(number));
  return count;
}

} // namespace

TEST_CASE("nothing is counted as nothing, and few exactly") {
  CHECK(DistinctCount().estimate() == 0);
  for (uint64_t number = 1; number <= 5; ++number)
    CHECK(countOf(0, number).estimate() == number);
}

TEST_CASE("the same thing counts once") {
  DistinctCount count = countOf(0, 3);
  for (unsigned round = 0; round < 1000; ++round)
    for (uint64_t number = 0; number < 3; ++number)
      count.add(hashOf(number));
  CHECK(count == countOf(0, 3));
}

TEST_CASE("many are counted within three standard errors") {
  for (uint64_t number : {10, 50, 100, 200, 300, 400, 1000, 10000, 100000}) {
    CAPTURE(number);
    CHECK(std::abs(double(countOf(0, number).estimate()) / double(number) - 1) < 0.28);
  }
}

TEST_CASE("merging counts what either has seen") {
  DistinctCount merged = countOf(0, 600);
  merged.merge(countOf(300, 900));
  CHECK(merged == countOf(0, 900));
}
