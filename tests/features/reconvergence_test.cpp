// SPDX-License-Identifier: MIT
//
// SPV_KHR_maximal_reconvergence: on their way out of a loop, lanes run together with those that leave in the same
// iteration.
#include "tests/features/computed_words.h"
#include <bit>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

constexpr uint32_t LaneCount = 64;

// Lane i leaves in iteration i % 7, except where `leaves` says otherwise.
std::vector<uint32_t> iterations() {
  std::vector<uint32_t> words(2 * LaneCount);
  for (uint32_t i = 0; i < LaneCount; ++i)
    words[i] = i * i % 7;
  return words;
}

// The number of lanes that each lane counted.
std::vector<uint32_t> counts(const std::string &body, const std::string &declarations = "") {
  ShaderSet shaders = computeOf("GL_KHR_shader_subgroup_ballot GL_EXT_spirv_intrinsics",
                                "spirv_execution_mode(extensions = [\"SPV_KHR_maximal_reconvergence\"], 6023);\n"
                                "uint count() { return subgroupBallotBitCount(subgroupBallot(true)); }\n" +
                                    declarations,
                                body);
  const std::vector<uint32_t> after = computedWords(shaders, iterations());
  CHECK(computedWords(atLevel(0, shaders), iterations()) == after); // where hardly a pass changes control flow
  return {after.begin() + LaneCount, after.end()};
}

// The number that each lane must count if it meets the lanes that leave in the same iteration.
std::vector<uint32_t> expected(const std::function<bool(uint32_t lane, uint32_t other)> &meets) {
  std::vector<uint32_t> result(LaneCount);
  for (uint32_t i = 0; i < LaneCount; ++i)
    for (uint32_t k = 0; k < LaneCount; ++k)
      result[i] += meets(i, k);
  return result;
}

std::vector<uint32_t> expectedOfIterations() {
  const std::vector<uint32_t> words = iterations();
  return expected([&](uint32_t i, uint32_t k) { return words[i] == words[k]; });
}

} // namespace

TEST_CASE("a ballot before a break counts those that leave in this iteration") {
  CHECK(counts("for (uint k = 0u; k < 100u; ++k) if (data[i] <= k) { data[i + 64u] = count(); break; }") ==
        expectedOfIterations());
}

TEST_CASE("a ballot before a return from within a loop") {
  CHECK(counts("for (uint k = 0u; ; ++k) if (data[i] == k) { data[i + 64u] = count(); return; }") ==
        expectedOfIterations());
}

TEST_CASE("a function that returns from within a loop") {
  CHECK(counts("data[i + 64u] = left(data[i]);",
               "uint left(uint last) { for (uint k = 0u; ; ++k) if (last == k) return count(); return 0u; }") ==
        expectedOfIterations());
}

TEST_CASE("a break of an inner loop, and what follows it in the outer one") {
  // The inner loop is left in iteration data[i]; all lanes meet again behind it.
  CHECK(counts("uint sum = 0u; for (uint outer = 0u; outer < 2u; ++outer) {"
               "  for (uint k = 0u; ; ++k) if (data[i] == k) { sum += count(); break; }"
               "  sum += 1000u * count(); } data[i + 64u] = sum;") == [] {
    std::vector<uint32_t> sums = expectedOfIterations();
    for (uint32_t &sum : sums)
      sum = 2 * (sum + 1000 * LaneCount);
    return sums;
  }());
}

TEST_CASE("lanes meet where a loop goes on, and behind it") {
  // Odd lanes continue early, and meet the others at the head of the next iteration.
  CHECK(counts("uint sum = 0u; for (uint k = 0u; k < 3u; ++k) { sum += count(); if ((i & 1u) != 0u) continue;"
               "  sum += 1000u * count(); } data[i + 64u] = sum + 1000000u * count();") == [] {
    std::vector<uint32_t> sums(LaneCount);
    for (uint32_t i = 0; i < LaneCount; ++i)
      sums[i] = 3 * LaneCount + (i % 2 == 0 ? 3 * 1000 * LaneCount / 2 : 0) + 1000000 * LaneCount;
    return sums;
  }());
}

TEST_CASE("what a lane computed on its way out is its own") {
  std::vector<uint32_t> values =
      counts("uint value = 7u; uint found = 0u; for (uint k = 0u; k < 100u; ++k) { value = value * 3u + k;"
             "  if (data[i] == k) { found = value * 64u + count(); break; } } data[i + 64u] = found;");
  const std::vector<uint32_t> leave = iterations(), met = expectedOfIterations();
  for (uint32_t i = 0; i < LaneCount; ++i) {
    uint32_t value = 7;
    for (uint32_t k = 0; k <= leave[i]; ++k)
      value = value * 3 + k;
    CHECK(values[i] == value * 64 + met[i]);
  }
}
