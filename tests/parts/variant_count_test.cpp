// SPDX-License-Identifier: MIT
#include "parts/store/entry.h"
#include <cmath>
#include <doctest/doctest.h>

using namespace dovetail;
using store::VariantCount;

namespace {

VariantCount countOf(uint64_t first, uint64_t end) {
  VariantCount count;
  for (uint64_t number = first; number < end; ++number)
    count.add(Hasher().add(number).finish());
  return count;
}

} // namespace

TEST_CASE("no variant is counted as none, and few exactly") {
  CHECK(VariantCount().estimate() == 0);
  for (uint64_t number = 1; number <= 5; ++number)
    CHECK(countOf(0, number).estimate() == number);
}

TEST_CASE("the same variant counts once") {
  VariantCount count = countOf(0, 3);
  for (unsigned round = 0; round < 1000; ++round)
    count.bits |= countOf(0, 3).bits;
  CHECK(count.estimate() == 3);
}

TEST_CASE("many variants are counted within three standard errors, and too many as the most that can be") {
  for (uint64_t number : {10, 50, 100, 200, 300, 400, 1000, 2000, 4000}) {
    CAPTURE(number);
    CHECK(std::abs(double(countOf(0, number).estimate()) / double(number) - 1) < 0.18);
  }
  CHECK(countOf(0, 100'000).estimate() == 7098);
}

TEST_CASE("two counts become one of what either has seen") {
  VariantCount both = countOf(0, 600);
  both.bits |= countOf(300, 900).bits;
  CHECK(both.bits == countOf(0, 900).bits);
}

TEST_CASE("a count comes back from its bytes, and is none if they are others") {
  const VariantCount count = countOf(0, 100);
  CHECK(VariantCount(count.bytes()).bits == count.bits);
  CHECK(VariantCount(count.bytes().first(64)).bits.none());
}
