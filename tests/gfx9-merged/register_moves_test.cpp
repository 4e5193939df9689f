// SPDX-License-Identifier: MIT
#include "gfx9-merged/register_moves.h"
#include <array>
#include <doctest/doctest.h>
#include <random>

using namespace dovetail;

namespace {

using Registers = std::array<uint32_t, 32>;

uint32_t transformed(uint32_t value, Transform transform) {
  switch (transform) {
  case Transform::Copy:
    return value;
  case Transform::LowHalf:
    return value & 0xffff;
  case Transform::HighHalf:
    return value >> 16;
  case Transform::GsWaveId:
    return value >> 16 & 0xff;
  case Transform::FirstVertexOfWave:
    return (value >> 24 & 15) * 64;
  }
  return 0;
}

Registers start() {
  Registers registers;
  for (uint32_t i = 0; i < registers.size(); ++i)
    registers[i] = 0xabcd0000 * (i + 1) + i;
  return registers;
}

void checkSameEffect(const std::vector<Move> &moves) {
  const Registers before = start();
  Registers after = before;
  for (const Move &move : inOrder(moves))
    after[move.destination] = transformed(after[move.source], move.transform);
  for (const Move &move : moves)
    CHECK(after[move.destination] == transformed(before[move.source], move.transform));
}

} // namespace

TEST_CASE("moves that wait for each other") {
  checkSameEffect({{0, 1}, {1, 2}, {2, 3}});
  checkSameEffect({{3, 2}, {2, 1}, {1, 0}});
  checkSameEffect({{0, 1}, {1, 0}});
  checkSameEffect({{0, 1}, {1, 2}, {2, 0}, {5, 6}, {6, 5}, {7, 0}});
  checkSameEffect({{4, 4, Transform::HighHalf}, {3, 4, Transform::LowHalf}, {5, 3}});
}

TEST_CASE("a move to its own place is no instruction, and nothing else is written over it") {
  std::vector<Move> ordered = inOrder({{0, 0}, {1, 2}, {2, 1}});
  CHECK(ordered.size() == 3);
  for (const Move &move : ordered)
    CHECK(move.destination != 0);
}

TEST_CASE("any moves") {
  std::mt19937 random(1);
  for (unsigned round = 0; round < 2000; ++round) {
    std::vector<Move> moves;
    for (uint16_t to = 0; to < 12; ++to)
      if (random() % 3)
        moves.push_back({to, uint16_t(random() % 12), Transform(random() % 3)});
    checkSameEffect(moves);
  }
}
