// SPDX-License-Identifier: MIT
//
// Loops with so many exits that a pass gives them one (src/lgc/codegen/slow/merge_exits.cpp). They must leave by the
// right exit, with the values that it reads.
#include "tests/features/computed_words.h"
#include <doctest/doctest.h>
#include <functional>

using namespace dovetail;

namespace {

constexpr uint32_t Steps = 40, Rounds = 5;

// The ways that a lane may take behind a step; its number decides.
enum class Way { Break, Return, Continue, BreakOuter, Store, Switch };

uint32_t addendOf(uint32_t step) {
  return step * 15838 + 24691;
}

bool isTaken(uint32_t x) {
  return (x >> 16) % 61 == 3;
}

std::string number(uint32_t value) {
  return std::to_string(value) + "u";
}

std::string stepText(uint32_t step, Way way) {
  const std::string begin = "x = x * 1664525u + " + number(addendOf(step)) + "; ";
  const std::string mark = "z += x * " + number(2 * step + 1) + "; ";
  const std::string taken = begin + "if ((x >> 16) % 61u == 3u) { " + mark;
  switch (way) {
  case Way::Break:
    return taken + "break; }\n";
  case Way::BreakOuter:
    return taken + "leaves = true; break; }\n";
  case Way::Return:
    return taken + "data[i] = z ^ " + number(step) + "; return; }\n";
  case Way::Continue:
    return taken + "continue; }\n";
  case Way::Store:
    return taken + "data[i + 64u] = z + " + number(step) + "; y ^= z; break; }\n";
  case Way::Switch:
    return begin + "switch (x % 4u) { case 0u: z += 5u; break; case 1u: y += x; if ((x >> 16) % 61u == 3u) { " + mark +
           "data[i] = y; return; } break; case 2u: if ((x >> 16) % 61u == 3u) continue; break; default: y ^= z; }\n";
  }
  return {};
}

using WayOf = std::function<Way(uint32_t step)>;

// `inner`: the text of the enclosing loop in front of the steps.
std::string loopText(const std::string &counter, const std::string &inner, uint32_t first, const WayOf &wayOf) {
  std::string text = "for (uint " + counter + " = 0u; " + counter + " < " + number(Rounds) + "; ++" + counter + ") {\n";
  text += inner;
  for (uint32_t step = 0; step < Steps; ++step)
    text += stepText(first + step, wayOf(step));
  return text + "}\n";
}

struct Lane {
  uint32_t x = 0, y = 1, z = 0, stored = 0;
  bool returned = false, leaves = false;
  uint32_t result = 0;

  // Returns false if the lane leaves the loop.
  bool runSteps(uint32_t first, const WayOf &wayOf) {
    for (uint32_t step = first; step < first + Steps; ++step) {
      x = x * 1664525 + addendOf(step);
      const Way way = wayOf(step - first);
      if (way == Way::Switch) {
        if (x % 4 == 0)
          z += 5;
        if (x % 4 == 3)
          y ^= z;
        if (x % 4 == 2 && isTaken(x))
          return true;
        if (x % 4 != 1)
          continue;
        y += x;
        if (!isTaken(x))
          continue;
        z += x * (2 * step + 1);
        returned = true;
        result = y;
        return false;
      }
      if (!isTaken(x))
        continue;
      z += x * (2 * step + 1);
      switch (way) {
      case Way::Continue:
        return true;
      case Way::Return:
        returned = true;
        result = z ^ step;
        return false;
      case Way::BreakOuter:
        leaves = true;
        return false;
      case Way::Store:
        stored = z + step;
        y ^= z;
        return false;
      default:
        return false;
      }
    }
    return true;
  }
};

std::vector<uint32_t> seeds() {
  std::vector<uint32_t> words(128);
  for (uint32_t i = 0; i < 64; ++i)
    words[i] = i * 2654435761u;
  return words;
}

void checkLoop(const WayOf &wayOf) {
  const std::string body = "uint x = data[i], y = 1u, z = 0u; bool leaves = false;\n" + loopText("n", "", 0, wayOf) +
                           "data[i] = x ^ y ^ z ^ (leaves ? 7u : 0u);\n";
  std::vector<uint32_t> expected = seeds();
  for (uint32_t i = 0; i < 64; ++i) {
    Lane lane;
    lane.x = expected[i];
    for (uint32_t round = 0; round < Rounds && lane.runSteps(0, wayOf); ++round)
      ;
    expected[i] = lane.returned ? lane.result : lane.x ^ lane.y ^ lane.z ^ (lane.leaves ? 7 : 0);
    expected[64 + i] = lane.stored;
  }
  CHECK(computedWords(computeOf("", "", body), seeds()) == expected);
}

void checkNest(const WayOf &inner, const WayOf &outer) {
  const std::string nested = loopText("m", "", Steps, inner) + "if (leaves) break;\n";
  const std::string body = "uint x = data[i], y = 1u, z = 0u; bool leaves = false;\n" +
                           loopText("n", nested, 0, outer) + "data[i] = x ^ y ^ z ^ (leaves ? 7u : 0u);\n";
  std::vector<uint32_t> expected = seeds();
  for (uint32_t i = 0; i < 64; ++i) {
    Lane lane;
    lane.x = expected[i];
    for (uint32_t round = 0; round < Rounds; ++round) {
      for (uint32_t m = 0; m < Rounds && lane.runSteps(Steps, inner); ++m)
        ;
      if (lane.returned || lane.leaves || !lane.runSteps(0, outer))
        break;
    }
    expected[i] = lane.returned ? lane.result : lane.x ^ lane.y ^ lane.z ^ (lane.leaves ? 7 : 0);
    expected[64 + i] = lane.stored;
  }
  CHECK(computedWords(computeOf("", "", body), seeds()) == expected);
}

WayOf always(Way way) {
  return [way](uint32_t) { return way; };
}

Way mixed(uint32_t step) {
  constexpr Way Ways[] = {Way::Break,      Way::Return, Way::Continue, Way::Store,
                          Way::BreakOuter, Way::Switch, Way::Return};
  return Ways[step % std::size(Ways)];
}

} // namespace

TEST_CASE("a loop with forty breaks") {
  checkLoop(always(Way::Break));
}

TEST_CASE("a loop with forty returns, each with a store of its own") {
  checkLoop(always(Way::Return));
}

TEST_CASE("a loop with forty stores in front of breaks") {
  checkLoop(always(Way::Store));
}

TEST_CASE("a loop with forty continues") {
  checkLoop(always(Way::Continue));
}

TEST_CASE("a loop with forty switches, in whose cases it is left") {
  checkLoop(always(Way::Switch));
}

TEST_CASE("a loop with all kinds of exits") {
  checkLoop(mixed);
}

TEST_CASE("a loop in a loop, each with forty exits, some of which leave both") {
  checkNest(mixed, mixed);
  checkNest(always(Way::Return), always(Way::Break));
}
