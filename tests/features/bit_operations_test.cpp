// SPDX-License-Identifier: MIT
//
// Integer operations that instruction selection and the passes behind it combine, against C++. Each case has a defect
// of LLVM behind it (docs/llvm-defects.md).
#include "tests/features/computed_words.h"
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <doctest/doctest.h>
#include <random>

using namespace dovetail;

namespace {

const std::string Types = "GL_EXT_shader_explicit_arithmetic_types";

// Two inputs a lane, words 0 to 127, the first of which have all signs.
std::vector<uint32_t> inputs(size_t count = 512) {
  std::vector<uint32_t> words(count);
  std::mt19937 random(9);
  for (size_t i = 0; i < 128; ++i)
    words[i] = random();
  const uint32_t borders[] = {0x80000000, 0x7fffffff, 0x9e3779b9, 0xffffffff, 0,
                              1,          0x80,       0x8000,     0x00ff00ff, 0xff00ff00};
  std::copy(std::begin(borders), std::end(borders), words.begin());
  return words;
}

using Expected = uint32_t (*)(uint32_t a, uint32_t b);

// Compares an expression of `a` and `b` in GLSL with the same in C++. Runs at level 0, too, where LLVM combines less
// before selection.
void check(const std::string &expression, Expected expected, const std::string &before = {}) {
  CAPTURE(expression);
  const ShaderSet shaders =
      computeOf(Types, "shared uint exchanged[64];",
                "uint a = data[i], b = data[64u + i];\n" + before + "data[128u + i] = " + expression + ";");
  const std::vector<uint32_t> words = inputs();
  for (const unsigned level : {0u, 2u}) {
    CAPTURE(level);
    const std::vector<uint32_t> results = computedWords(atLevel(level, shaders), words);
    for (unsigned i = 0; i < 64; ++i) {
      CAPTURE(words[i]);
      CAPTURE(words[64 + i]);
      CHECK(results[128 + i] == expected(words[i], words[64 + i]));
    }
  }
}

uint32_t shifted(uint32_t word, unsigned count) {
  return uint32_t(int32_t(word) >> count);
}

} // namespace

TEST_CASE("bytes that an arithmetic shift fills with the sign keep it when they are put together") {
  check("uint(int(a) >> 24) | (b & 0xffffff00u)",
        [](uint32_t a, uint32_t b) { return shifted(a, 24) | (b & 0xffffff00); });
  check("uint(bitfieldExtract(int(a), 24, 8)) | (b & 0xffff0000u)",
        [](uint32_t a, uint32_t b) { return shifted(a, 24) | (b & 0xffff0000); });
  check("(uint(int(a) >> 16) & 0xff000000u) | (b & 0xffffffu)",
        [](uint32_t a, uint32_t b) { return (shifted(a, 16) & 0xff000000) | (b & 0xffffff); });
  check("((uint(int(a) >> 8) >> 16) & 255u) | ((a >> 8) & 0xff00u) | ((uint(int(a) >> 8) >> 8) & 0xff0000u) | (a & "
        "0xff000000u)",
        [](uint32_t a, uint32_t) {
          return ((shifted(a, 8) >> 16) & 255) | ((a >> 8) & 0xff00) | ((shifted(a, 8) >> 8) & 0xff0000) |
                 (a & 0xff000000);
        });
  check("((uint(uint8_t(uint16_t(b))) & 0xff0000u) + uint(int(a) >> 8)) | (i & 0xff000000u)",
        [](uint32_t a, uint32_t) { return shifted(a, 8); });
  check("uint(int8_t(a >> 24)) | (b & 0xff00u) << 8",
        [](uint32_t a, uint32_t b) { return shifted(a, 24) | (b & 0xff00) << 8; });
  check("uint(unpack8(int(a)).w) & 0xffff0000u | b & 0xffffu",
        [](uint32_t a, uint32_t b) { return (shifted(a, 24) & 0xffff0000) | (b & 0xffff); });
  // LLVM knows as much about field extractions and about vectors' elements.
  check("(bitfieldExtract(b, 3, 8) << 24) + (uint(int(a) >> 16) & 0xffffffu)",
        [](uint32_t a, uint32_t b) { return (b >> 3 << 24) + (shifted(a, 16) & 0xffffff); });
  check("bitfieldExtract(b, 3, 24) + (uint(int(a) >> 16) & 0xff000000u)",
        [](uint32_t a, uint32_t b) { return (b >> 3 & 0xffffff) + (shifted(a, 16) & 0xff000000); });
  check("((b & 0xffu) << 24) - (0u - (uint(int(a) >> 16) & 0xffffffu))",
        [](uint32_t a, uint32_t b) { return (b << 24) + (shifted(a, 16) & 0xffffff); });
  check(
      "made.x * 3u + made.y",
      [](uint32_t a, uint32_t b) {
        return ((shifted(a, 16) & 0xffffff) | b << 24) * 3 + ((shifted(b, 16) & 0xffffff) | a << 24);
      },
      "uvec2 made = (uvec2(ivec2(a, b) >> 16) & 0xffffffu) | uvec2(b, a) << 24;");
  check("uint((int64_t(int(a)) << 8 | int64_t(b & 255u)) >> 32) | b << 24",
        [](uint32_t a, uint32_t b) { return shifted(a, 24) | b << 24; });
}

TEST_CASE("bytes that an arithmetic shift fills with the sign keep it in sums without carries, and in remainders") {
  const ShaderSet shaders =
      computeOf("GL_EXT_shader_explicit_arithmetic_types_int64", "",
                "int64_t x = int64_t(uint64_t(data[i]) << 32 | data[i + 64u]) >> 40;"
                "uint64_t low = uint64_t(x) & 0xffffffffUL, high = uint64_t(x) >> 32;"
                "uint64_t sum = high * 65536UL + (low * 65536UL >> 32);"
                "uint64_t rest = uint64_t(x) % 16777215UL, other = uint64_t(x) % 65537UL;"
                "data[i + 128u] = uint(sum); data[i + 192u] = uint(sum >> 32); data[i + 256u] = uint(rest);"
                "data[i + 320u] = uint(other); data[i + 384u] = uint((sum & 0xffffffffUL) ^ (low << 48));");
  std::vector<uint32_t> words(448);
  for (uint32_t i = 0; i < 128; ++i)
    words[i] = (i + 1) * 2654435761u;
  const std::vector<uint32_t> after = computedWords(shaders, words);
  for (uint32_t i = 0; i < 64; ++i) {
    const auto x = uint64_t(int64_t(uint64_t(words[i]) << 32 | words[i + 64]) >> 40);
    const uint64_t sum = (x >> 32) * 65536 + ((x & 0xffffffff) >> 16);
    CHECK(after[i + 128] == uint32_t(sum));
    CHECK(after[i + 192] == uint32_t(sum >> 32));
    CHECK(after[i + 256] == uint32_t(x % 16777215));
    CHECK(after[i + 320] == uint32_t(x % 65537));
    CHECK(after[i + 384] == uint32_t(sum));
  }
}

TEST_CASE("a 16-bit arithmetic shift extends the sign of its own operand") {
  check("a ^ uint(uint16_t(int16_t(a) >> int16_t(8)))",
        [](uint32_t a, uint32_t) { return a ^ uint16_t(int16_t(uint16_t(a)) >> 8); });
  check("b + uint(uint8_t(int16_t(a) >> int16_t(8)))",
        [](uint32_t a, uint32_t b) { return b + uint8_t(int16_t(uint16_t(a)) >> 8); });
  check("b - uint(int(int16_t(a >> 16) >> int16_t(4)))",
        [](uint32_t a, uint32_t b) { return b - uint32_t(int16_t(uint16_t(a >> 16)) >> 4); });
}

TEST_CASE("the carry of a sum and a carry is that of both") {
  // With branches and shared memory, sums and comparisons may become carries.
  const std::string before = "exchanged[i] = a; barrier(); if (exchanged[63u - i] != 12345u) data[192u + i] = 1u;\n"
                             "uint c0, c1, low = uaddCarry(a, b * 3u, c0), sum = uaddCarry(a + b, c0, c1);\n"
                             "uint d0, d1, less = usubBorrow(a, b * 5u, d0), rest = usubBorrow(a - b, d0, d1);\n";
  check(
      "sum ^ low", [](uint32_t a, uint32_t b) { return (a + b + uint32_t(a + b * 3 < a)) ^ (a + b * 3); }, before);
  check(
      "c1", [](uint32_t a, uint32_t b) { return uint32_t(a + b + uint32_t(a + b * 3 < a) < a + b); }, before);
  check(
      "d1", [](uint32_t a, uint32_t b) { return uint32_t(a - b < uint32_t(a < b * 5)); }, before);
  check(
      "uint((uint64_t(a) + b + c0) >> 32) + rest + less",
      [](uint32_t a, uint32_t b) {
        return uint32_t((uint64_t(a) + b + (a + b * 3 < a)) >> 32) + (a - b - uint32_t(a < b * 5)) + (a - b * 5);
      },
      before);
}

TEST_CASE("64-bit sums and differences whose high half is a sum or difference overflow where they do") {
  // The high halves wrap around in half of the lanes, the whole numbers only in the first lane.
  const std::string before =
      "uint64_t sum = uint64_t(a + b) << 32 | a, difference = uint64_t(a - b) << 32 | b,\n"
      "more = sum + b, less = difference - uint64_t(a);\n"
      "uint64_t square = (uint64_t(a) << 32 | b) * (uint64_t(a) << 32 | b), next = square + 1ul;";
  check(
      "uint((more < sum ? ~0ul : more) >> 32)",
      [](uint32_t a, uint32_t b) {
        const uint64_t sum = uint64_t(a + b) << 32 | a, more = sum + b;
        return more < sum ? ~0u : uint32_t(more >> 32);
      },
      before);
  check(
      "uint((difference < uint64_t(a) ? 0ul : less) >> 32)",
      [](uint32_t a, uint32_t b) {
        const uint64_t difference = uint64_t(a - b) << 32 | b;
        return difference < a ? 0 : uint32_t((difference - a) >> 32);
      },
      before);
  check(
      "uint((difference - min(difference, uint64_t(a))) >> 32)",
      [](uint32_t a, uint32_t b) {
        const uint64_t difference = uint64_t(a - b) << 32 | b;
        return difference < a ? 0 : uint32_t((difference - a) >> 32);
      },
      before);
  check(
      "uint(next < square ? ~0ul : next)",
      [](uint32_t a, uint32_t b) {
        const uint64_t root = uint64_t(a) << 32 | b, square = root * root;
        return square + 1 < square ? ~0u : uint32_t(square + 1);
      },
      before);
}

TEST_CASE("signs of pairs, cleared, set and turned by masks, in selections") {
  struct Row {
    const char *text;
    uint32_t (*mask)(uint32_t);
  };
  const Row rows[] = {{"(y & 0x7fffffff) | 1", [](uint32_t y) { return (y & 0x7fffffff) | 1; }},
                      {"y & 0x7fffffff", [](uint32_t y) { return y & 0x7fffffff; }},
                      {"y | int(0x80000000u)", [](uint32_t y) { return y | 0x80000000; }},
                      {"y ^ int(0x80000000u)", [](uint32_t y) { return y ^ 0x80000000; }}};
  const std::vector<uint32_t> words = inputs();
  for (const Row &row : rows) {
    CAPTURE(row.text);
    const ShaderSet shaders = computeOf(
        Types, "",
        "ivec2 x = ivec2(data[i], data[(i + 7u) & 63u]), y = ivec2(data[(i + 9u) & 63u], data[i]);\n"
        "ivec2 z = " +
            std::string(row.text) +
            ";\n"
            "ivec2 first = mix(z, ivec2(0), lessThan(x, ivec2(0))), second = mix(ivec2(9), z, equal(x, y.yx));\n"
            "data[64u + i] = uint(first.x ^ second.y); data[128u + i] = uint(first.y ^ second.x);");
    for (const unsigned level : {0u, 1u, 2u}) {
      const std::vector<uint32_t> results = computedWords(atLevel(level, shaders), words);
      for (unsigned i = 0; i < 64; ++i) {
        const uint32_t x[] = {words[i], words[(i + 7) & 63]}, y[] = {words[(i + 9) & 63], words[i]};
        uint32_t first[2], second[2];
        for (unsigned k = 0; k < 2; ++k) {
          const uint32_t z = row.mask(y[k]);
          first[k] = int32_t(x[k]) < 0 ? 0 : z;
          second[k] = x[k] == y[1 - k] ? z : 9;
        }
        CHECK(results[64 + i] == (first[0] ^ second[1]));
        CHECK(results[128 + i] == (first[1] ^ second[0]));
      }
    }
  }
}

TEST_CASE("an element by a number that only selection knows to be constant") {
  const ShaderSet shaders =
      computeOf(Types, "",
                "uint64_t read[7], written[7];\n"
                "for (uint j = 0u; j < 7u; ++j) { read[j] = uint64_t(data[i]) + j; written[j] = 0ul; }\n"
                "uint place = bitfieldExtract(0xau, 1, 2);\n"
                "written[bitfieldExtract(0xcu, 2, 3)] = uint64_t(data[i]);\n"
                "data[64u + i] = uint(read[place]); data[128u + i] = uint(written[3]);");
  const std::vector<uint32_t> words = inputs();
  for (const unsigned level : {0u, 1u, 2u}) {
    const std::vector<uint32_t> results = computedWords(atLevel(level, shaders), words);
    for (unsigned i = 0; i < 64; ++i) {
      CHECK(results[64 + i] == words[i] + 1);
      CHECK(results[128 + i] == words[i]);
    }
  }
}

TEST_CASE("operations on selections of constant vectors' bits compile at level 0") {
  const ShaderSet shaders =
      computeOf(Types, "",
                "uint a = data[i];\n"
                "uint b = a == 0u ? 0u : pack32(u8vec4(uint8_t(0), uint8_t(0), uint8_t(0), uint8_t(1)));\n"
                "uint64_t c = uint64_t(b) | 2ul; data[64u + i] = uint(c) + uint(c >> 32);");
  std::vector<uint32_t> words(128, 7);
  words[3] = 0;
  for (const unsigned level : {0u, 2u}) {
    const std::vector<uint32_t> results = computedWords(atLevel(level, shaders), words);
    for (unsigned i = 0; i < 64; ++i)
      CHECK(results[64 + i] == (i == 3 ? 2 : 0x01000002));
  }
}

TEST_CASE("a table of constants may have a vector's bits, also within structures, at level 0") {
  const ShaderSet shaders = computeOf(Types, "struct Row { int low; int8_t bytes[2]; };",
                                      "int16_t seven = 7s; int64_t sevens = pack64(i16vec4(seven));"
                                      "int numbers[9] = int[](1, 2, 3, 4, 5, 6, 8, 9, int(sevens >> 15));"
                                      "Row rows[4]; for (int row = 0; row < 4; ++row)"
                                      "  rows[row] = Row(row, int8_t[](int8_t(sevens), int8_t(row)));"
                                      "data[i + 128u] = uint(numbers[data[i] % 9u]);"
                                      "data[i + 192u] = uint(rows[data[i] % 4u].bytes[data[i] >> 5 & 1u]);");
  const std::vector<uint32_t> words = inputs(), results = computedWords(atLevel(0, shaders), words);
  const uint32_t numbers[] = {1, 2, 3, 4, 5, 6, 8, 9, uint32_t(0x0007000700070007 >> 15)};
  for (unsigned i = 0; i < 64; ++i) {
    CHECK(results[i + 128] == numbers[words[i] % 9]);
    CHECK(results[i + 192] == (words[i] >> 5 & 1 ? words[i] % 4 : 7));
  }
}

TEST_CASE("the low word of a shift of two words may be anything where its bits are masked out") {
  check(
      "uint((int64_t(int(high)) * int64_t(int(0xddaf4c0au))) & 7l)",
      [](uint32_t a, uint32_t) {
        const auto high = int32_t(uint64_t(a) * 255 >> 32);
        return uint32_t(int64_t(high) * int32_t(0xddaf4c0a)) & 7;
      },
      "uint high, low; umulExtended(255u, a, high, low);");
}

TEST_CASE("sums and differences saturate with literals, too") {
  check("a - min(a, 127u)", [](uint32_t a, uint32_t) { return a - std::min(a, 127u); });
  check("(a & 255u) - min(a & 255u, 127u)", [](uint32_t a, uint32_t) { return (a & 255) - std::min(a & 255, 127u); });
  check("max(a & 4095u, 1000u) - 1000u", [](uint32_t a, uint32_t) { return std::max(a & 4095, 1000u) - 1000; });
  check("a + min(~a, 1000u)", [](uint32_t a, uint32_t) { return a + std::min(~a, 1000u); });
  check("1000u - min(1000u, a & 2047u)", [](uint32_t a, uint32_t) { return 1000 - std::min(1000u, a & 2047); });
  check("a - min(a, b)", [](uint32_t a, uint32_t b) { return a - std::min(a, b); });
  check("uint(uint16_t(a) - min(uint16_t(a), uint16_t(999)))",
        [](uint32_t a, uint32_t) { return uint32_t(uint16_t(a) - std::min<uint16_t>(uint16_t(a), 999)); });
}

TEST_CASE("what is or'ed with -1 is -1") {
  check("uint((a != 5u ? uint64_t(a) | ~uint64_t(b) : 7ul) >> 32)",
        [](uint32_t a, uint32_t) { return a != 5 ? ~0u : 0; });
  check("uint(uint64_t(a) | ~uint64_t(b))", [](uint32_t a, uint32_t b) { return a | ~b; });
  check("uint((uint64_t(data[0]) | ~uint64_t(data[1])) >> 32) ^ a", [](uint32_t a, uint32_t) { return ~a; });
}

TEST_CASE("what is or'ed with -1 is -1, where machine code alone sees that it is -1") {
  // At level 0, the constants are in another block than their uses.
  const ShaderSet shaders = computeOf(
      Types, "",
      "uvec4 constants = uvec4(0xff00ff00u, 0xffffffffu, 64u, 3u); uint k = 0u, signs = constants[k++], "
      "ones = constants[k++], count = constants[k];\n"
      "data[128u + i] = signs; data[192u + i] = ones; data[256u + i] = count;\n"
      "if (i > 5u) { data[320u + i] = uint(int(signs) >> 31) | i; data[384u + i] = (ones >> (count & 31u)) | i; }");
  for (const unsigned level : {0u, 2u}) {
    const std::vector<uint32_t> results = computedWords(atLevel(level, shaders), inputs(448));
    for (unsigned i = 6; i < 64; ++i) {
      CHECK(results[320 + i] == ~0u);
      CHECK(results[384 + i] == ~0u);
    }
  }
}

TEST_CASE("64-bit inversions of uniform values that are loaded") {
  const ShaderSet shaders = computeOf(
      Types, "",
      "u64vec2 v = u64vec2(uint64_t(data[data[127] & 63u]) << 32 | data[2], uint64_t(data[3]) << 32 | data[4]);\n"
      "uint64_t c = uint64_t(data[5]) << 32 | data[data[126] & 31u];\n"
      "u64vec2 n = ~(v ^ c); uint64_t m = ~v.x & c, o = ~(v.y | c), p = ~(v.x & v.y);\n"
      "data[128u + i] = uint((n.x >> 32) ^ n.y); data[192u + i] = uint(m) ^ uint(m >> 32); data[256u + i] = uint(o) ^ "
      "uint(o >> 32) ^ uint(p) ^ uint(p >> 32);");
  const std::vector<uint32_t> d = inputs(), results = computedWords(shaders, d);
  const uint64_t x = uint64_t(d[d[127] & 63]) << 32 | d[2], y = uint64_t(d[3]) << 32 | d[4];
  const uint64_t c = uint64_t(d[5]) << 32 | d[d[126] & 31];
  auto folded = [](uint64_t value) { return uint32_t(value) ^ uint32_t(value >> 32); };
  for (unsigned i = 0; i < 64; ++i) {
    CHECK(results[128 + i] == uint32_t((~(x ^ c) >> 32) ^ ~(y ^ c)));
    CHECK(results[192 + i] == folded(~x & c));
    CHECK(results[256 + i] == (folded(~(y | c)) ^ folded(~(x & y))));
  }
}

TEST_CASE("an array in registers is indexed by a uniform number, and shifted") {
  for (const unsigned shift : {8u, 16u, 24u}) {
    const ShaderSet shaders = computeOf(Types, "",
                                        "uint m[8]; for (int k = 0; k < 8; k++) m[k] = data[64 + k] + i * k; "
                                        "m[data[120] & 7u] = i * 3u; m[data[121] & 7u] = i * 5u;\n"
                                        "data[128u + i] = m[data[122] & 7u] << " +
                                            std::to_string(shift) + "; data[192u + i] = m[2] + m[5];");
    const std::vector<uint32_t> d = inputs(), results = computedWords(shaders, d);
    for (unsigned i = 0; i < 64; ++i) {
      uint32_t m[8];
      for (unsigned k = 0; k < 8; ++k)
        m[k] = d[64 + k] + i * k;
      m[d[120] & 7] = i * 3, m[d[121] & 7] = i * 5;
      CHECK(results[128 + i] == m[d[122] & 7] << shift);
      CHECK(results[192 + i] == m[2] + m[5]);
    }
  }
}

TEST_CASE("products of 24-bit numbers that are added to 64 bits") {
  check("uint((uint64_t(a & 0xffffffu) * uint64_t(b & 0xffffffu) + a) >> 32)",
        [](uint32_t a, uint32_t b) { return uint32_t((uint64_t(a & 0xffffff) * (b & 0xffffff) + a) >> 32); });
  check("uint((int64_t(bitfieldExtract(int(a), 0, 24)) * int64_t(bitfieldExtract(int(b), 0, 24)) + int64_t(int(b))) >> "
        "16)",
        [](uint32_t a, uint32_t b) {
          auto low = [](uint32_t word) { return int64_t(int32_t(word << 8) >> 8); };
          return uint32_t((low(a) * low(b) + int32_t(b)) >> 16);
        });
}

TEST_CASE("the bits of components that are selected one by one are those of the selection") {
  check(
      "uint(pack64(mix(u16vec4(0us, 0us, 0us, 1us), u16vec4(0us), bvec4(int(i) < 0, false, false, false))) << 1 >> 32)",
      [](uint32_t, uint32_t) { return 0x20000u; });
  check("uint(pack64(u16vec4(0us, 0us, 0us, uint16_t(a))) << 1 >> 32)",
        [](uint32_t a, uint32_t) { return (a & 0xffff) << 17; });
}

TEST_CASE("an element that a short-circuited condition chooses is there on both ways to it") {
  // A uniform condition and one that lanes disagree about (llvm-project #183792).
  const ShaderSet shaders =
      computeOf(Types, "",
                "uint64_t m[4] = uint64_t[4](0xffff0000ul, 0xffff0000ul, 3ul, 4ul); m[i & 1u] = 0ul;\n"
                "uint64_t first = 0ul; if (data[200] == 0u || int(data[i]) >= 0) first = m[0];\n"
                "m[0] = first; data[128u + i] = uint(first) + uint(m[1]);");
  for (const uint32_t uniform : {0u, 1u}) {
    std::vector<uint32_t> words = inputs();
    words[200] = uniform;
    const std::vector<uint32_t> results = computedWords(shaders, words);
    for (unsigned i = 0; i < 64; ++i) {
      const uint32_t zeroth = i & 1 ? 0xffff0000 : 0, other = i & 1 ? 0 : 0xffff0000;
      CHECK(results[128 + i] == (uniform == 0 || int32_t(words[i]) >= 0 ? zeroth : 0) + other);
    }
  }
}

TEST_CASE("a negative zero in a vector of halves keeps its sign") {
  const std::string before =
      "float16_t x = uint16BitsToFloat16(uint16_t(a)), zero = uint16BitsToFloat16(uint16_t(0x8000));\n"
      "f16vec2 pair = f16vec2(x, zero); f16vec4 four = f16vec4(zero, x, x, zero);\n"
      "four[b & 3u] = x;\n";
  check(
      "packFloat2x16(f16vec2(x, zero))", [](uint32_t a, uint32_t) { return (a & 0xffff) | 0x80000000; }, before);
  check(
      "packFloat2x16(f16vec2(zero, x))", [](uint32_t a, uint32_t) { return a << 16 | 0x8000; }, before);
  check(
      "packFloat2x16(pair.yx)", [](uint32_t a, uint32_t) { return a << 16 | 0x8000; },
      "f16vec2 pair = f16vec2(uint16BitsToFloat16(uint16_t(a)), uint16BitsToFloat16(uint16_t(0x8000)));");
  check(
      "packFloat2x16(four.zw)",
      [](uint32_t a, uint32_t b) { return (a & 0xffff) | ((b & 3) == 3 ? a << 16 : 0x80000000); }, before);
  // In an array, which becomes a vector late.
  check(
      "packFloat2x16(f16vec2(v[0], v[1]))",
      [](uint32_t a, uint32_t b) {
        const uint32_t two = 0x4000;
        return ((b & 3) == 0 ? two : a & 0xffff) | ((b & 3) == 1 ? two : 0x8000) << 16;
      },
      "float16_t v[4] = float16_t[4](uint16BitsToFloat16(uint16_t(a)), uint16BitsToFloat16(uint16_t(0x8000)), "
      "1.0hf, 1.0hf); v[b & 3u] = 2.0hf;");
  // Integers that are read as halves and negated: the negation flips the sign, even of a NaN.
  check("packFloat2x16(-uint16BitsToFloat16(u16vec2(uint16_t(a), uint16_t(0x8000))))",
        [](uint32_t a, uint32_t) { return (a & 0xffff) ^ 0x8000; });
  check("packFloat2x16(-uint16BitsToFloat16(u16vec2(uint16_t(0x8000), uint16_t(a))))",
        [](uint32_t a, uint32_t) { return (a ^ 0x8000) << 16; });
  check("packFloat2x16(-uint16BitsToFloat16(u16vec2(uvec2(a, 0x38000u))))",
        [](uint32_t a, uint32_t) { return (a & 0xffff) ^ 0x8000; });
}

TEST_CASE("the bits of a half that is the least, most or middle of three have nothing above them") {
  const ShaderSet shaders = computeOf(
      Types, "uint bitsOf(float16_t half_) { return uint(float16BitsToUint16(half_)); }",
      "float16_t x = float16_t(int(i) - 20), y = float16_t(int(data[i] & 63u) - 30), z = float16_t(data[64u "
      "+ i] & 31u);\n"
      "data[128u + i] = bitsOf(min(min(x, y), z)); data[192u + i] = bitsOf(max(max(x, y), z));\n"
      "data[256u + i] = bitsOf(clamp(y, float16_t(-7), float16_t(9))) | data[i] << 16;\n"
      "data[320u + i] = bitsOf(-min(min(x, y), z)); data[384u + i] = bitsOf(-abs(max(max(x, y), z)));\n"
      "float16_t chosen = z; if (i > data[i] % 64u) chosen = max(max(x, y), z); else chosen = min(min(x, y), z);\n"
      "data[448u + i] = bitsOf(chosen); data[512u + i] = bitsOf(i < 9u ? -clamp(x, y, z) : min(min(x, y), z));"
      "data[576u + i] = bitsOf(max(-min(x, y), z)); data[640u + i] = bitsOf(min(max(x, y) * float16_t(-1), z));");
  const std::vector<uint32_t> words = inputs(704), results = computedWords(shaders, words);
  // Small integers as halves.
  auto bitsOf = [](int number) {
    const unsigned magnitude = unsigned(std::abs(number)),
                   exponent = magnitude ? unsigned(std::bit_width(magnitude)) - 1 : 0;
    const uint32_t bits = magnitude ? (exponent + 15) << 10 | (magnitude << (10 - exponent) & 0x3ff) : 0;
    return bits | (number < 0 ? 0x8000u : 0u);
  };
  for (unsigned i = 0; i < 64; ++i) {
    const int x = int(i) - 20, y = int(words[i] & 63) - 30, z = int(words[64 + i] & 31);
    CHECK(results[128 + i] == bitsOf(std::min({x, y, z})));
    CHECK(results[192 + i] == bitsOf(std::max({x, y, z})));
    CHECK(results[256 + i] == (bitsOf(std::clamp(y, -7, 9)) | words[i] << 16));
    const uint32_t sign = 0x8000;
    CHECK(results[320 + i] == (bitsOf(std::min({x, y, z})) ^ sign));
    CHECK(results[384 + i] == (bitsOf(std::max({x, y, z})) | sign));
    CHECK(results[448 + i] == bitsOf(i > words[i] % 64 ? std::max({x, y, z}) : std::min({x, y, z})));
    CHECK(results[512 + i] == (i < 9 ? bitsOf(std::min(std::max(x, y), z)) ^ sign : bitsOf(std::min({x, y, z}))));
    CHECK(results[576 + i] == bitsOf(std::max(-std::min(x, y), z)));
    const uint32_t least = bitsOf(std::min(-std::max(x, y), z));
    CHECK((results[640 + i] == least || (least == 0 && results[640 + i] == sign))); // -0 and 0 are the same
  }
}

TEST_CASE("a bit field of a negative number has nothing above it") {
  const ShaderSet shaders =
      computeOf(Types, "",
                "int fields[4] = int[4](-5, -5, -5, -5); int width = fields[data[i] & 1u] & 15;\n"
                "data[128u + i] = bitfieldExtract(uint(fields[1]), 0, width);\n"
                "int small[2] = int[2](11, 11); uint extended = uint(int(data[i]) >> 24);\n"
                "data[192u + i] = bitfieldExtract(extended, 0, small[data[64u + i] & 1u]);\n"
                "data[256u + i] = bitfieldExtract(extended, int(data[300u]), 9 + int(data[300u]));"
                "data[320u + i] = bitfieldExtract(extended, 0, 10); int zeros[2] = int[2](0, 0);"
                "data[384u + i] = bitfieldExtract(extended, zeros[data[i] & 1u], 12);");
  const std::vector<uint32_t> words = inputs(), results = computedWords(shaders, words);
  CHECK(computedWords(atLevel(0, shaders), words) == results);
  for (unsigned i = 0; i < 64; ++i) {
    CHECK(results[128 + i] == 0x7fb);
    CHECK(results[192 + i] == (shifted(words[i], 24) & 0x7ff));
    CHECK(results[256 + i] == (shifted(words[i], 24) & 0x1ff));
    CHECK(results[320 + i] == (shifted(words[i], 24) & 0x3ff));
    CHECK(results[384 + i] == (shifted(words[i], 24) & 0xfff));
  }
}

TEST_CASE("a signed bit field of a constant has 32 bits") {
  const ShaderSet shaders = computeOf(
      "", "",
      "int c = -128; data[64u + i] = uint(bitfieldExtract(c, 30, 2)) >> 1;\n"
      "data[128u + i] = uint(bitfieldExtract(c, 24, 8)) / 3u; data[192u + i] = uint(bitfieldExtract(c, 5, 27));"
      "int begins[2] = int[2](30, 30), widths[2] = int[2](8, 8); uint which = data[i] & 1u;"
      "data[256u + i] = uint(bitfieldExtract(c, begins[which], 2)) >> 1;"
      "data[320u + i] = uint(bitfieldExtract(c, 24, widths[which])) / 3u;");
  for (const unsigned level : {0u, 1u, 2u}) {
    const std::vector<uint32_t> results = computedWords(atLevel(level, shaders), inputs());
    CHECK(results[64] == 0x7fffffff);
    CHECK(results[128] == 0x55555555);
    CHECK(results[192] == 0xfffffffc);
    CHECK(results[256] == 0x7fffffff);
    CHECK(results[320] == 0x55555555);
  }
}

TEST_CASE("a signed byte is loaded before another is stored in its place") {
  for (const std::string type : {"int8_t", "int16_t"}) {
    CAPTURE(type);
    const std::string place = type == "int8_t" ? "small[4u * i]" : "small[2u * i]";
    const ShaderSet shaders =
        computeOf(Types, "layout(std430, binding = 0) buffer Small { " + type + " small[]; };",
                  "int value = int(" + place + "); " + place + " = " + type +
                      "(5);\n"
                      "uint other = data[400u];\n"
                      "int16_t halves[4] = int16_t[4](int16_t(other), int16_t(0), int16_t(0), int16_t(0));\n"
                      "halves[i & 1u] = int16_t(0); data[128u + i] = uint(int(halves[0]) + int(halves[1]));\n"
                      "data[192u + i] = uint(value);");
    const std::vector<uint32_t> words = inputs(), results = computedWords(shaders, words);
    for (unsigned i = 0; i < 64; ++i) {
      auto low = [&](uint32_t word) { return type == "int8_t" ? int32_t(int8_t(word)) : int32_t(int16_t(word)); };
      CHECK(results[192 + i] == uint32_t(low(words[i])));
      CHECK(low(results[i]) == 5);
    }
  }
}

TEST_CASE("an atomic of a constant that is in an array takes in all invocations") {
  const ShaderSet shaders =
      computeOf(Types, "",
                "ivec4 values = ivec4(7, -16711936, 11, 13); data[128u + i] = uint(values[data[i] & 3u]);\n"
                "atomicOr(data[256u], uint(sign(values[1])));");
  CHECK(computedWords(shaders, inputs())[256] == ~0u);
}

TEST_CASE("a product of halves is rounded before it is added to a float") {
  const ShaderSet shaders =
      computeOf(Types, "",
                "float16_t x = float16_t(int(i) * 2 + 129), y = float16_t(131); precise float16_t product = x * y;\n"
                "precise float sum = float(product) + 1.0; data[128u + i] = floatBitsToUint(sum);\n"
                "f16vec2 pair = f16vec2(x, y); precise f16vec2 products = pair * f16vec2(133);\n"
                "precise vec2 sums = vec2(products) - vec2(2.0); data[192u + i] = floatBitsToUint(sums.x);\n"
                "data[256u + i] = floatBitsToUint(sums.y);");
  const std::vector<uint32_t> results = computedWords(shaders, inputs());
  // To the nearest half, which is an integer here.
  auto rounded = [](int product) {
    const int step = 1 << (std::bit_width(unsigned(product)) - 11), rest = product % step, low = product - rest;
    const bool isUp = rest * 2 > step || (rest * 2 == step && low / step % 2 != 0);
    return float(isUp ? low + step : low);
  };
  for (unsigned i = 0; i < 64; ++i) {
    const int x = int(i) * 2 + 129;
    CHECK(results[128 + i] == std::bit_cast<uint32_t>(rounded(x * 131) + 1));
    CHECK(results[192 + i] == std::bit_cast<uint32_t>(rounded(x * 133) - 2));
    CHECK(results[256 + i] == std::bit_cast<uint32_t>(rounded(131 * 133) - 2));
  }
}
