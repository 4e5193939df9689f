// SPDX-License-Identifier: MIT
//
// Rotation in a subgroup and in clusters of it; derivatives without fragments.
#include "tests/features/computed_words.h"
#include <bit>
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
