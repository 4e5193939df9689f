// SPDX-License-Identifier: MIT
//
// Rotation in a subgroup and in clusters of it; partitions; derivatives without fragments.
#include "tests/features/computed_words.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <doctest/doctest.h>

using namespace dovetail;

TEST_CASE("lanes rotate through the subgroup and through clusters") {
  const std::string begin = "spirv_instruction(extensions = [\"SPV_KHR_subgroup_rotate\"], capabilities = [6026], "
                            "id = 4431) ";
  ShaderSet shaders = computeOf("GL_EXT_spirv_intrinsics",
                                begin + "uint rotate(uint scope, uint value, uint delta);\n" + begin +
                                    "vec2 rotate(uint scope, vec2 value, uint delta, uint size);\n",
                                "uint delta = data[64]; vec2 pair = vec2(i, i + 100u);"
                                "data[i] = rotate(3u, i, delta); pair = rotate(3u, pair, delta, 8u);"
                                "data[i + 64u] = uint(pair.x) | uint(pair.y) << 16;");
  std::vector<uint32_t> words(128);
  words[64] = 13;
  std::vector<uint32_t> after = computedWords(shaders, words);
  for (unsigned i = 0; i < 64; ++i) {
    CHECK(after[i] == (i + 13) % 64);
    unsigned lane = i / 8 * 8 + (i + 13) % 8;
    CHECK(after[i + 64] == (lane | (lane + 100) << 16));
  }
}

TEST_CASE("invocations with the same value are a set, of which reductions and scans know no others") {
  ShaderSet shaders =
      computeOf("GL_NV_shader_subgroup_partitioned", "",
                "uint value = data[i]; float number = uintBitsToFloat(data[i + 64u]);"
                "if (value != 3u) {"
                "  uvec4 set = subgroupPartitionNV(value);"
                "  data[i + 128u] = set.x; data[i + 192u] = set.y;"
                "  data[i + 256u] = subgroupPartitionedAddNV(i, set);"
                "  data[i + 320u] = subgroupPartitionedInclusiveMaxNV(100u - i, set);"
                "  data[i + 384u] = subgroupPartitionedExclusiveAddNV(i, set);"
                "  set = subgroupPartitionNV(vec2(number, 1.0));"
                "  data[i + 448u] = subgroupPartitionedOrNV(1u << (i & 31u), set);"
                "  data[i + 512u] = floatBitsToUint(subgroupPartitionedMinNV(vec3(i, -float(i), 2.0), set).y);"
                "}");
  std::vector<uint32_t> words(576);
  const float numbers[] = {0.0f, -0.0f, NAN, 1.5f, -1.5f};
  for (uint32_t i = 0; i < 64; ++i) {
    words[i] = i * i * 7 % 11;
    words[i + 64] = std::bit_cast<uint32_t>(numbers[i * 3 % 5]);
  }
  const std::vector<uint32_t> after = computedWords(shaders, words);
  const auto isActive = [&](uint32_t i) { return words[i] != 3; };
  const auto isSameNumber = [&](uint32_t i, uint32_t j) {
    const uint32_t a = words[i + 64], b = words[j + 64];
    return a == b || std::bit_cast<float>(a) == std::bit_cast<float>(b);
  };
  for (uint32_t i = 0; i < 64; ++i) {
    if (!isActive(i))
      continue;
    uint64_t set = 0;
    uint32_t sum = 0, greatest = 0, before = 0, bits = 0;
    float least = 0;
    for (uint32_t j = 0; j < 64; ++j) {
      if (isActive(j) && words[j] == words[i]) {
        set |= uint64_t(1) << j;
        sum += j;
        before += j < i ? j : 0;
        greatest = std::max(greatest, j <= i ? 100 - j : 0);
      }
      if (isActive(j) && isSameNumber(i, j)) {
        bits |= 1u << (j & 31);
        least = std::min(least, -float(j));
      }
    }
    CAPTURE(i);
    CHECK((after[i + 128] | uint64_t(after[i + 192]) << 32) == set);
    CHECK(after[i + 256] == sum);
    CHECK(after[i + 320] == greatest);
    CHECK(after[i + 384] == before);
    CHECK(after[i + 448] == bits);
    CHECK(std::bit_cast<float>(after[i + 512]) == least);
  }
}

TEST_CASE("a partition from in front of a branch, and one of an undefined value") {
  const ShaderSet shaders = computeOf("GL_NV_shader_subgroup_partitioned", "",
                                      "uvec4 set = subgroupPartitionNV(0u); uint sum = 7u;"
                                      "if ((i & 3u) == 2u) sum = subgroupPartitionedAddNV(i, set);"
                                      "data[i] = sum; uint undefined; set = subgroupPartitionNV(undefined);"
                                      "data[i + 64u] = (set.x | set.y) != 0u ? 1u : 2u;");
  const std::vector<uint32_t> after = computedWords(shaders, std::vector<uint32_t>(128));
  uint32_t sum = 0;
  for (uint32_t i = 2; i < 64; i += 4)
    sum += i;
  for (uint32_t i = 0; i < 64; ++i) {
    CHECK(after[i] == ((i & 3) == 2 ? sum : 7));
    CHECK(after[i + 64] == 1);
  }
}

TEST_CASE("derivatives among four invocations in a row") {
  ShaderSet shaders = computeOf("GL_NV_compute_shader_derivatives", "layout(derivative_group_linearNV) in;",
                                "float f = float(data[i]); data[i] = floatBitsToUint(dFdxFine(f));"
                                "data[i + 64u] = floatBitsToUint(dFdyFine(f));"
                                "data[i + 128u] = floatBitsToUint(dFdxCoarse(f));");
  std::vector<uint32_t> words(192);
  for (uint32_t i = 0; i < 64; ++i)
    words[i] = i * i % 37;
  auto value = [&](uint32_t i) { return float(words[i]); };
  std::vector<uint32_t> after = computedWords(shaders, words);
  for (uint32_t i = 0; i < 64; ++i) {
    CHECK(std::bit_cast<float>(after[i]) == value(i | 1) - value(i & ~1u));
    CHECK(std::bit_cast<float>(after[i + 64]) == value(i | 2) - value(i & ~2u));
    CHECK(std::bit_cast<float>(after[i + 128]) == value((i & ~3u) + 1) - value(i & ~3u));
  }
}
