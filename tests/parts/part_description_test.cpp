// SPDX-License-Identifier: MIT
#include "parts/cache/part_maker.h"
#include "parts/compile/key_bytes.h"
#include "parts/kinds/part_description.h"
#include "tests/parts/sample_keys.h"
#include <doctest/doctest.h>

using namespace dovetail;

TEST_CASE("the words for a prolog or an epilog are made from its key") {
  auto check = [](const auto &key) {
    Part part{};
    setKey(part, key);
    CHECK(partDescription(part) == key.describe());
    CHECK(!partDescription(part).empty());
  };
  check(samples::vertexPrologKey());
  check(samples::fragmentPrologKey());
  check(samples::fragmentEpilogKey());
  check(samples::tessControlEpilogKey());
  check(samples::geometryPrologKey());
  check(samples::computePrologKey());
}

TEST_CASE("a part that brings its words keeps them") {
  Part part{};
  setKey(part, samples::vertexPrologKey());
  part.description = "a prolog";
  CHECK(partDescription(part) == "a prolog");
}

TEST_CASE("a part without a key has no words") {
  Part part{};
  CHECK(partDescription(part).empty());
  setKey(part, samples::vertexPrologKey());
  part.keyFields.pop_back(); // damaged
  CHECK(partDescription(part).empty());
}
