// SPDX-License-Identifier: MIT
#include "src/base/hash.h"
#include <doctest/doctest.h>

using dovetail::Hasher;

TEST_CASE("neighbouring strings hash differently when a character moves between them") {
  Hasher first, second;
  first.add("ab").add("c");
  second.add("a").add("bc");
  CHECK(first.finish() != second.finish());
}

TEST_CASE("a field hashes the same in two hashers") {
  Hasher first, second;
  first.add(42u);
  second.add(42u);
  CHECK(first.finish() == second.finish());
}
