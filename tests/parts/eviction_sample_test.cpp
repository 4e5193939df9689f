// SPDX-License-Identifier: MIT
//
// Samples of a table whose shards have as many cells as they have entries.
#include "parts/cache/eviction_sample.h"
#include <doctest/doctest.h>
#include <map>

using namespace dovetail;

namespace {

constexpr size_t ShardCount = 64;

struct Table {
  size_t cells = 0;                                 // of a shard
  std::map<std::pair<size_t, size_t>, size_t> seen; // how often, by shard and cell
  size_t maxSeen = 0;                               // in one sample

  double sample(EvictionHand &hand) {
    size_t count = 0;
    double part = hand.sample(ShardCount, ShardCount * cells, [&](const TablePiece &piece) {
      for (size_t cell = piece.begin(cells); cell < piece.end(cells); ++cell, ++count)
        ++seen[{piece.shard, cell}];
      return count;
    });
    maxSeen = std::max(maxSeen, count);
    return part;
  }
};

} // namespace

TEST_CASE("a sample of a small table is all of it, once") {
  for (size_t cells : {0, 1, 3}) {
    CAPTURE(cells);
    Table table = {.cells = cells};
    EvictionHand hand;
    CHECK(table.sample(hand) == 1);
    CHECK(table.seen.size() == ShardCount * cells);
    CHECK(table.maxSeen == ShardCount * cells);
  }
}

TEST_CASE("samples of a large table are small, and go round it") {
  for (size_t cells : {5, 100, 1000, 4000}) {
    CAPTURE(cells);
    Table table = {.cells = cells};
    EvictionHand hand;
    double visited = 0;
    while (visited < 1)
      visited += table.sample(hand);
    CHECK(table.seen.size() == ShardCount * cells);
    CHECK(table.maxSeen <= 2 * EvictionSample);
    // Only the last sample may overlap the first one.
    size_t twice = 0;
    for (const auto &[cell, times] : table.seen)
      twice += times > 1;
    CHECK(twice <= table.maxSeen);
  }
}

TEST_CASE("a table that grows or shrinks between samples is still gone round") {
  EvictionHand hand;
  double visited = 0;
  std::map<size_t, size_t> shards;
  // Pieces of different lengths overlap, so a round may take a little longer.
  for (size_t step = 0; visited < 2; ++step) {
    Table table = {.cells = step % 3 == 0 ? 40u : step % 3 == 1 ? 700u : 3000u};
    visited += table.sample(hand);
    for (const auto &[cell, times] : table.seen)
      ++shards[cell.first];
  }
  CHECK(shards.size() == ShardCount);
}
