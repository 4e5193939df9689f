// SPDX-License-Identifier: MIT
//
// Integer dot products and hints, against C++.
#include "tests/features/computed_words.h"
#include <algorithm>
#include <bit>
#include <doctest/doctest.h>
#include <limits>

using namespace dovetail;

namespace {

// Words with large and small bytes of both signs.
std::vector<uint32_t> samples(size_t count = 64) {
  std::vector<uint32_t> words(count);
  uint32_t state = 12345;
  for (uint32_t &word : words)
    word = state = state * 1664525u + 1013904223u;
  words[0] = 0x80808080, words[1] = 0x7f7f7f7f, words[2] = 0xffffffff, words[3] = 0;
  return words;
}

int32_t byteOf(uint32_t word, unsigned index, bool isSigned) {
  uint8_t byte = uint8_t(word >> 8 * index);
  return isSigned ? int8_t(byte) : byte;
}

int32_t dot(uint32_t a, uint32_t b, bool isFirstSigned, bool isSecondSigned) {
  int32_t sum = 0;
  for (unsigned k = 0; k < 4; ++k)
    sum += byteOf(a, k, isFirstSigned) * byteOf(b, k, isSecondSigned);
  return sum;
}

std::string instruction(unsigned id, const std::string &declaration, const char *inputs = "6018") {
  return "spirv_instruction(extensions = [\"SPV_KHR_integer_dot_product\"], capabilities = [6019, " +
         std::string(inputs) + "], id = " + std::to_string(id) + ") " + declaration + ";\n";
}

} // namespace

TEST_CASE("dot products of packed bytes, by the signs of both sides") {
  const std::string operands = "(uint a, uint b, spirv_literal int format)";
  for (auto [id, type, isFirst, isSecond] :
       {std::tuple(4450u, "int", true, true), std::tuple(4451u, "uint", false, false),
        std::tuple(4452u, "int", true, false)}) {
    CAPTURE(id);
    ShaderSet shaders = computeOf("GL_EXT_spirv_intrinsics", instruction(id, std::string(type) + " dot8" + operands),
                                  "data[i] = uint(dot8(data[i], data[63u - i], 0));");
    std::vector<uint32_t> before = samples(), after = computedWords(shaders, before);
    for (unsigned i = 0; i < 64; ++i)
      CHECK(after[i] == uint32_t(dot(before[i], before[63 - i], isFirst, isSecond)));
  }
}

TEST_CASE("an accumulated dot product saturates at the end") {
  const std::string operands = "(uint a, uint b, int sum, spirv_literal int format)";
  ShaderSet isSigned = computeOf("GL_EXT_spirv_intrinsics", instruction(4453, "int dot8" + operands),
                                 "data[i] = uint(dot8(data[i], data[63u - i], int(data[64u + i]), 0));");
  ShaderSet isUnsigned = computeOf("GL_EXT_spirv_intrinsics",
                                   instruction(4454, "uint dot8(uint a, uint b, uint sum, spirv_literal int format)"),
                                   "data[i] = dot8(data[i], data[63u - i], data[64u + i], 0);");
  std::vector<uint32_t> before = samples(128);
  for (unsigned i = 0; i < 64; i += 2)
    before[64 + i] = i % 4 ? 0x7ffffff0 : 0x80000010;
  for (unsigned i = 1; i < 64; i += 4)
    before[64 + i] = 0xfffffff0;
  std::vector<uint32_t> after = computedWords(isSigned, before), afterUnsigned = computedWords(isUnsigned, before);
  unsigned saturated = 0;
  for (unsigned i = 0; i < 64; ++i) {
    int64_t sum = int64_t(dot(before[i], before[63 - i], true, true)) + int32_t(before[64 + i]);
    CHECK(after[i] == uint32_t(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX)));
    saturated += sum != std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
    uint64_t plus = uint64_t(uint32_t(dot(before[i], before[63 - i], false, false))) + before[64 + i];
    CHECK(afterUnsigned[i] == uint32_t(std::min<uint64_t>(plus, UINT32_MAX)));
  }
  CHECK(saturated > 4);
}

TEST_CASE("dot products of vectors of 8 and of 32 bits") {
  ShaderSet shaders =
      computeOf("GL_EXT_spirv_intrinsics GL_EXT_shader_explicit_arithmetic_types_int8",
                instruction(4450, "int dotBytes(i8vec3 a, i8vec3 b)", "6017, 6016") +
                    instruction(4451, "uint dotWords(uvec2 a, uvec2 b)", "6016"),
                "i8vec4 a = unpack8(int(data[i])), b = unpack8(int(data[i + 64u]));"
                "data[i] = uint(dotBytes(a.xyz, b.zyx)) + dotWords(uvec2(data[i], i), uvec2(data[i + 64u], 7u));");
  std::vector<uint32_t> before = samples(128), after = computedWords(shaders, before);
  for (unsigned i = 0; i < 64; ++i) {
    uint32_t expected = before[i] * before[i + 64] + i * 7;
    for (unsigned k = 0; k < 3; ++k)
      expected += uint32_t(byteOf(before[i], k, true) * byteOf(before[i + 64], 2 - k, true));
    CHECK(after[i] == expected);
  }
}

TEST_CASE("an expected value is the value, and an assumption changes nothing") {
  ShaderSet shaders =
      computeOf("GL_EXT_spirv_intrinsics",
                "spirv_instruction(extensions = [\"SPV_KHR_expect_assume\"], capabilities = [5629], id = 5631) "
                "uint expect(uint value, uint expected);\n"
                "spirv_instruction(extensions = [\"SPV_KHR_expect_assume\"], capabilities = [5629], id = 5630) "
                "void assume(bool condition);\n",
                "assume(i < 64u); data[i] = expect(data[i], 3u) + 1u;");
  std::vector<uint32_t> before = samples(), after = computedWords(shaders, before);
  for (unsigned i = 0; i < 64; ++i)
    CHECK(after[i] == before[i] + 1);
}
