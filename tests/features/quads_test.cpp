// SPDX-License-Identifier: MIT
//
// SPV_KHR_quad_control, and workgroups whose lanes are squares of 2 by 2 invocations.
#include "tests/features/computed_words.h"
#include "tests/features/drawn_texels.h"
#include <bit>
#include <doctest/doctest.h>
#include <set>

using namespace dovetail;
using lgc::ShaderStage;

namespace {

const std::string Intrinsic = "extensions = [\"SPV_KHR_quad_control\"], capabilities = [5087], ";
const std::string Votes = "spirv_instruction(" + Intrinsic + "id = 5110) bool quadAll(bool condition);\n" +
                          "spirv_instruction(" + Intrinsic + "id = 5111) bool quadAny(bool condition);\n";

std::vector<DrawnTexel> drawn(const std::string &declarations, const std::string &body,
                              const std::function<void(Scene &)> &change = {}) {
  return drawnTexels(programOf({{ShaderStage::Vertex, wholeTarget()},
                                {ShaderStage::Fragment, "#extension GL_EXT_spirv_intrinsics : require\n"
                                                        "#extension GL_KHR_shader_subgroup_ballot : require\n" +
                                                            declarations +
                                                            "layout(location = 0) in vec2 at;\n"
                                                            "layout(location = 0) out vec4 color;\n"
                                                            "void main() { " +
                                                            body + " }"}}),
                     change);
}

} // namespace

TEST_CASE("a quad votes, and only its active lanes do") {
  ShaderSet shaders =
      computeOf("GL_EXT_spirv_intrinsics", Votes,
                "bool is = data[i] != 0u; uint bits = (quadAny(is) ? 1u : 0u) | (quadAll(is) ? 2u : 0u);"
                "if ((i & 3u) != 2u) bits |= (quadAny(is) ? 4u : 0u) | (quadAll(is) ? 8u : 0u);"
                "data[i + 64u] = bits;");
  std::vector<uint32_t> words(128);
  for (uint32_t i = 0; i < 64; ++i) // all patterns of a quad
    words[i] = i / 4 >> i % 4 & 1;
  std::vector<uint32_t> after = computedWords(shaders, words);
  for (uint32_t i = 0; i < 64; ++i) {
    const uint32_t pattern = i / 4, others = pattern & 0b1011;
    uint32_t bits = (pattern != 0 ? 1 : 0) | (pattern == 15 ? 2 : 0);
    if (i % 4 != 2)
      bits |= (others != 0 ? 4 : 0) | (others == 0b1011 ? 8 : 0);
    CHECK(after[i + 64] == bits);
  }
}

TEST_CASE("helper lanes vote in their quad") {
  std::vector<DrawnTexel> texels = drawn(
      Votes,
      "color = vec4(quadAny(gl_HelperInvocation), quadAll(gl_HelperInvocation), quadAll(!gl_HelperInvocation), 1);");
  for (uint32_t y = 0; y < DrawnSize; ++y)
    for (uint32_t x = 0; x < DrawnSize; ++x) {
      const bool isDivided = x / 2 + y / 2 == DrawnSize / 2 - 1; // two triangles meet in this quad
      CHECK((texels[y * DrawnSize + x] == DrawnTexel{isDivided ? 1.0f : 0.0f, 0, isDivided ? 0.0f : 1.0f, 1}));
    }
}

TEST_CASE("a shader that requires full quads counts helper lanes, another one does not") {
  constexpr uint32_t Covered = 5;
  auto remainders = [&](const std::string &mode) {
    std::vector<DrawnTexel> texels =
        drawn(mode, "color = vec4(subgroupBallotBitCount(subgroupBallot(true)) & 3u);", [](Scene &scene) {
          scene.scissors = {{{0, 0}, {Covered, Covered}}};
        });
    std::set<float> found;
    for (uint32_t y = 0; y < Covered; ++y)
      for (uint32_t x = 0; x < Covered; ++x)
        found.insert(texels[y * DrawnSize + x][0]);
    return found;
  };
  CHECK(remainders("spirv_execution_mode(" + Intrinsic + "5089);\n") == std::set<float>{0});
  CHECK(remainders("") != std::set<float>{0});
}

TEST_CASE("derivatives that are asked for in a branch of a whole quad") {
  std::vector<DrawnTexel> texels = drawn(
      "spirv_execution_mode(" + Intrinsic + "5088);\nspirv_execution_mode(" + Intrinsic + "5089);\n",
      "color = vec4(0.0); if (int(gl_FragCoord.x) / 2 % 2 == 1) color = vec4(dFdx(at.x * at.x), dFdy(at.y), 1, 1);");
  for (uint32_t y = 0; y < DrawnSize; ++y)
    for (uint32_t x = 0; x < DrawnSize; ++x) {
      const float first = float(x & ~1u) + 0.5f, second = first + 1;
      const DrawnTexel asked = {second * second - first * first, 1, 1, 1};
      CHECK((texels[y * DrawnSize + x] == (x / 2 % 2 == 1 ? asked : DrawnTexel{})));
    }
}

TEST_CASE("derivatives in workgroups of squares") {
  // 8 by 4 by 2 invocations. gl_LocalInvocationID must fit gl_LocalInvocationIndex.
  ShaderSet shaders = computeOf("GL_NV_compute_shader_derivatives GL_KHR_shader_subgroup_basic",
                                "layout(local_size_x = 8, local_size_y = 4, local_size_z = 2) in;\n"
                                "layout(derivative_group_quadsNV) in;",
                                "float f = float(data[i]); data[i] = floatBitsToUint(dFdxFine(f));"
                                "data[i + 64u] = floatBitsToUint(dFdyFine(f));"
                                "uvec3 p = gl_LocalInvocationID; data[i + 128u] = p.x | p.y << 8 | p.z << 16;"
                                "data[i + 192u] = gl_SubgroupInvocationID;");
  std::vector<uint32_t> words(256);
  for (uint32_t i = 0; i < 64; ++i)
    words[i] = i * i % 37;
  auto value = [&](uint32_t i) { return float(words[i]); };
  std::vector<uint32_t> after = computedWords(shaders, words);
  for (uint32_t i = 0; i < 64; ++i) {
    const uint32_t x = i % 8, y = i / 8 % 4, z = i / 32;
    CHECK(std::bit_cast<float>(after[i]) == value(i | 1) - value(i & ~1u));
    CHECK(std::bit_cast<float>(after[i + 64]) == value(i | 8) - value(i & ~8u));
    CHECK(after[i + 128] == (x | y << 8 | z << 16));
    CHECK(after[i + 192] == z * 32 + y / 2 * 16 + x / 2 * 4 + y % 2 * 2 + x % 2);
  }
}
