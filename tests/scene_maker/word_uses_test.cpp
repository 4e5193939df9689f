// SPDX-License-Identifier: MIT
#include "tests/scene_maker/glsl_shaders.h"
#include "tools/proof/scene/maker/make_scene.h"
#include "tools/proof/scene/maker/word_uses.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

// Words as zink makes them, and a vector of four of them.
const std::string Words = "layout(set = 1, binding = 2, std430) readonly buffer B { uint w[64]; };\n"
                          "#define COLUMN(i) uintBitsToFloat(uvec4(w[i], w[i + 1], w[i + 2], w[i + 3]))\n"
                          "layout(location = 0) in vec4 p;\n";
const std::string Fragment = "layout(location = 0) out vec4 o; void main() { o = vec4(1); }";

ShaderSet vertexOf(const std::string &body) {
  return shadersOf(Words + "void main() { " + body + " }", Fragment);
}

WordUses usesOf(const ShaderSet &shaders) {
  Result<WordUses> uses = findWordUses(shaders);
  if (!uses)
    FAIL(uses.error().text);
  return *uses;
}

// One character for each word by its number: ' ' an integer, 'f' a float, 'm' a matrix's element, 'd' an element on a
// matrix's diagonal.
std::string printUses(const ShaderSet &shaders, uint32_t count) {
  const WordUses uses = usesOf(shaders);
  std::string text;
  for (uint32_t word = 0; word < count; ++word) {
    const auto use = uses.find({1, 2, 4 * word});
    text += use == uses.end() ? ' ' : !use->second.isMatrix ? 'f' : use->second.column == use->second.row ? 'd' : 'm';
  }
  return text;
}

} // namespace

TEST_CASE("words that are computed with as floats are floats, others integers") {
  CHECK(printUses(vertexOf("gl_Position = p + uintBitsToFloat(w[1]) + float(w[2]);"), 4) == " f  ");
}

TEST_CASE("floats that are computed with as integers are integers, unless they are floats elsewhere") {
  const ShaderSet shaders = shadersOf("layout(set = 1, binding = 2) uniform B { vec4 v[4]; };\n"
                                      "layout(location = 0) in vec4 p;\n"
                                      "void main() { uvec2 both = floatBitsToUint(v[1].zw); float sum = 0;"
                                      "for (uint i = 0; i < floatBitsToUint(v[0].y); ++i) sum += v[2].x;"
                                      "gl_Position = p + sum + float(both.x + both.y) * v[1].w; }",
                                      Fragment);
  const WordUses uses = usesOf(shaders);
  std::vector<uint32_t> integers;
  for (const auto &[place, use] : uses)
    if (use.isInteger)
      integers.push_back(std::get<2>(place) / 4);
  CHECK(uses.size() == integers.size());
  CHECK(integers == std::vector<uint32_t>{1, 6}); // v[0].y and v[1].z
  Result<Scene> scene = makeScene(shaders, randomState(shaders, 1), {1, 32, 32});
  REQUIRE(scene.has_value());
  uint32_t word = 0;
  std::memcpy(&word, &scene->buffers.at(0).at(4), sizeof word);
  CHECK(word < 4);
}

TEST_CASE("words of 64 bits that are computed with as doubles are doubles") {
  const ShaderSet shaders =
      shadersOf("#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n"
                "layout(set = 1, binding = 2, std430) readonly buffer B { uint64_t w[4]; };\n"
                "layout(location = 0) in vec4 p;\n"
                "void main() { gl_Position = p * float(uint64BitsToDouble(w[2])) + float(w[3]); }",
                Fragment);
  const WordUses uses = usesOf(shaders);
  REQUIRE(uses.size() == 1);
  CHECK(uses.begin()->first == std::tuple(1, 2, 16));
  CHECK(uses.begin()->second.bits == 64);
  Result<Scene> scene = makeScene(shaders, randomState(shaders, 1), {1, 32, 32});
  REQUIRE(scene.has_value());
  double value = 0;
  std::memcpy(&value, &scene->buffers.at(0).at(16), sizeof value);
  CHECK(value >= 0.1);
  CHECK(value <= 0.9);
}

TEST_CASE("words that are multiplied with the components of a vector are a matrix") {
  CHECK(printUses(vertexOf("gl_Position = COLUMN(4) * p.xxxx + COLUMN(8) * p.yyyy + COLUMN(12) * p.zzzz +"
                           "COLUMN(16) * p.wwww;"),
                  24) == "    dmmmmdmmmmdmmmmd    ");
  // The last column is not multiplied, because the last component is 1.
  CHECK(printUses(vertexOf("gl_Position = COLUMN(4) * p.xxxx + COLUMN(8) * p.yyyy + COLUMN(12) * p.zzzz + COLUMN(16);"),
                  24) == "    dmmmmdmmmmdmmmmd    ");
}

TEST_CASE("a vector that is multiplied with one component is none") {
  CHECK(printUses(vertexOf("gl_Position = p + COLUMN(0) * p.xxxx;"), 8) == "ffff    ");
}

TEST_CASE("scenes have floats and matrices near to identity in such words") {
  const ShaderSet shaders = vertexOf("gl_Position = COLUMN(4) * p.xxxx + COLUMN(8) * p.yyyy + uintBitsToFloat(w[0]);");
  Result<Scene> scene = makeScene(shaders, randomState(shaders, 1), {1, 32, 32});
  REQUIRE(scene.has_value());
  std::array<float, 12> floats;
  std::memcpy(floats.data(), scene->buffers.at(0).data(), sizeof floats);
  CHECK(floats[0] >= 0.1f);
  CHECK(floats[0] <= 0.9f);
  CHECK(std::bit_cast<uint32_t>(floats[1]) < 4);
  for (unsigned word = 4; word < 12; ++word)
    CHECK(std::abs(floats[word] - (word == 4 || word == 9 ? 1.0f : 0.0f)) < 0.05f);
}
