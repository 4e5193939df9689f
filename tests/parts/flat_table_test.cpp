// SPDX-License-Identifier: MIT
#include "parts/cache/flat_table.h"
#include <doctest/doctest.h>
#include <map>
#include <memory>
#include <random>

using namespace dovetail;

namespace {

using Table = FlatTable<unsigned, std::shared_ptr<unsigned>>;

std::map<unsigned, unsigned> contentsOf(const Table &table) {
  std::map<unsigned, unsigned> contents;
  table.forEachIn(0, table.cellCount(),
                  [&](unsigned key, const std::shared_ptr<unsigned> &value) { contents[key] = *value; });
  return contents;
}

} // namespace

TEST_CASE("a flat table holds what a map does, whatever is inserted and erased in which order") {
  std::mt19937 random(1);
  // Few keys, so that the table has many of them already. Multiples, so that searches begin at the same cells.
  for (unsigned factor : {1u, 64u, 4096u}) {
    Table table;
    std::map<unsigned, unsigned> expected;
    for (unsigned step = 0; step < 20'000; ++step) {
      const unsigned key = random() % 300 * factor;
      std::shared_ptr<unsigned> *found = table.find(key);
      REQUIRE((found != nullptr) == expected.contains(key));
      if (found)
        CHECK(**found == expected[key]);
      if (found && random() % 2) {
        table.erase(found);
        expected.erase(key);
      } else if (!found) {
        table.insert(key) = std::make_shared<unsigned>(step);
        expected[key] = step;
      }
      REQUIRE(table.size() == expected.size());
    }
    CHECK(contentsOf(table) == expected);
  }
}

TEST_CASE("the pieces of a flat table are all of it") {
  Table table;
  for (unsigned key = 0; key < 100; ++key)
    table.insert(key * 37) = std::make_shared<unsigned>(key);
  unsigned visited = 0;
  for (size_t piece = 0; piece < 3; ++piece)
    table.forEachIn(table.cellCount() * piece / 3, table.cellCount() * (piece + 1) / 3,
                    [&](unsigned, const auto &) { ++visited; });
  CHECK(visited == 100);
}

TEST_CASE("what is erased from a flat table is destroyed, and a table that was moved from is empty") {
  Table table;
  auto value = std::make_shared<unsigned>(1);
  table.insert(1) = value;
  table.insert(2) = value;
  table.erase(table.find(1));
  CHECK(value.use_count() == 2);
  Table other = std::move(table);
  CHECK(table.size() == 0);
  CHECK(table.find(2) == nullptr);
  CHECK(other.find(2) != nullptr);
  table.insert(3) = value;
  CHECK(value.use_count() == 3);
}
