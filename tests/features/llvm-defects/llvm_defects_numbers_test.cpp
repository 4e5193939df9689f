// SPDX-License-Identifier: MIT
//
// Defects of LLVM, fixed or not, in arithmetic: in its DAG combines, instruction selection, operand folding and SDWA
// peephole.
#include "tests/features/llvm-defects/llvm_defects.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

using namespace dovetail;

namespace {

const std::string Int64 = "GL_EXT_shader_explicit_arithmetic_types_int64";

uint64_t pair(uint32_t low, uint32_t high) {
  return low | uint64_t(high) << 32;
}

uint32_t half(uint64_t value, uint32_t which) {
  return static_cast<uint32_t>(value >> (32 * which));
}

int32_t signExtend(uint32_t value, unsigned bits) {
  return static_cast<int32_t>(value << (32 - bits)) >> (32 - bits);
}

uint32_t rotateLeft(uint32_t high, uint32_t low, unsigned count) {
  return static_cast<uint32_t>(pair(low, high) << count >> 32);
}

// The first 64 words are 0, -0, 1.5 and -1.5 by turns. So are the next 64, with four of each in a row.
DefectInputs zeros() {
  DefectInputs in = noise();
  const float numbers[] = {0.0f, -0.0f, 1.5f, -1.5f};
  for (uint32_t i = 0; i < 64; ++i) {
    in.words[i] = std::bit_cast<uint32_t>(numbers[i & 3]);
    in.words[i + 64] = std::bit_cast<uint32_t>(numbers[i / 4 & 3]);
  }
  return in;
}

// SignedZeroInfNanPreserve, and b(), which stores the bits of a float.
const std::string KeepSigns =
    "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], capabilities = [4466], 4461, 32);\n"
    "#define b(n, x) r(n) = floatBitsToUint(x)\n";

} // namespace

TEST_CASE("LLVM #198729: a product of 24 bits is that of 24 bits, whatever is added in 64 bits") {
  const DefectInputs in = noise();
  const auto &d = in.words;
  checkDefect(Int64, "",
              "uint64_t sum = uint64_t(data[i] & 0xffffffu) * uint64_t(data[i + 1] & 0xffffffu) +"
              "  packUint2x32(uvec2(data[i + 2], data[i + 3]));"
              "int64_t signed_sum = int64_t(bitfieldExtract(int(data[i]), 0, 24)) *"
              "  int64_t(bitfieldExtract(int(data[i + 1]), 0, 24)) + int64_t(sum);"
              "uvec2 a = unpackUint2x32(sum), b = unpackUint2x32(uint64_t(signed_sum));"
              "r(0) = a.x; r(1) = a.y; r(2) = b.x; r(3) = b.y;",
              in, 4, [&](uint32_t i, uint32_t row) {
                const uint64_t sum = uint64_t(d[i] & 0xffffff) * (d[i + 1] & 0xffffff) + pair(d[i + 2], d[i + 3]);
                const int64_t product = int64_t(signExtend(d[i], 24)) * signExtend(d[i + 1], 24);
                return half(row < 2 ? sum : sum + static_cast<uint64_t>(product), row & 1);
              });
}

TEST_CASE("LLVM #213029: a selection by an ordered comparison with its constant gives the constant for NaN") {
  DefectInputs in = noise();
  for (uint32_t i = 0; i < 64; i += 2)
    in.words[i] = i % 4 == 0 ? 0x7fc00000u : std::bit_cast<uint32_t>(3.25f);
  for (uint32_t i = 1; i < 64; i += 2)
    in.words[i] = std::bit_cast<uint32_t>(float(i));
  checkDefectOfAssembly("%constant = OpConstant %float 3.25\n%seven = OpConstant %float 7.75\n",
                        "%from_i = OpConvertUToF %float %i\n"
                        "%other = OpFAdd %float %from_i %seven\n"
                        "%is_other = OpFOrdNotEqual %bool %x %constant\n"
                        "%is_same = OpFUnordEqual %bool %x %constant\n"
                        "%a = OpSelect %float %is_other %other %constant\n"
                        "%b = OpSelect %float %is_same %constant %other\n"
                        "%a_bits = OpBitcast %uint %a\n%b_bits = OpBitcast %uint %b\n",
                        {"%a_bits", "%b_bits"}, in, [&](uint32_t i, uint32_t) {
                          const float x = std::bit_cast<float>(in.words[i]);
                          return std::bit_cast<uint32_t>(std::isnan(x) || x == 3.25f ? 3.25f : float(i) + 7.75f);
                        });
}

TEST_CASE("LLVM #139531, #203822, #216970, #141017: medians, minima and maxima of NaN") {
  DefectInputs in = noise();
  for (uint32_t i = 0; i < 64; ++i)
    in.words[i] = i % 4 == 0   ? 0x7fc00000u
                  : i % 8 == 1 ? 0x7f800000u
                  : i % 8 == 5 ? 0xff800000u
                               : std::bit_cast<uint32_t>(float(i) * 0.25f - 5.5f);
  std::string body;
  std::vector<std::string> results;
  for (const char *value :
       {"NClamp %x %low %high", "NClamp %x %none %one", "NMin %x %high", "NMax %low %x", "NMin %nan %x"}) {
    const std::string name = "%v" + std::to_string(results.size());
    body += name + "f = OpExtInst %float %glsl " + value + "\n" + name + " = OpBitcast %uint " + name + "f\n";
    results.push_back(name);
  }
  checkDefectOfAssembly("%low = OpConstant %float -2.5\n%high = OpConstant %float 5.5\n%none = OpConstant %float 0\n"
                        "%one = OpConstant %float 1\n%nan = OpConstant %float 0x1.8p+128\n",
                        body, results, in, [&](uint32_t i, uint32_t row) {
                          const float x = std::bit_cast<float>(in.words[i]);
                          const float results[] = {std::fmin(std::fmax(x, -2.5f), 5.5f),
                                                   std::fmin(std::fmax(x, 0.0f), 1.0f), std::fmin(x, 5.5f),
                                                   std::fmax(-2.5f, x), x};
                          const uint32_t bits = std::bit_cast<uint32_t>(results[row]);
                          return row == 4 && std::isnan(x) ? 0x7fc00000u : bits;
                        });
}

TEST_CASE("LLVM #138204, #138913, #144421, #146569: 64-bit shifts by 32 and more") {
  const DefectInputs in = noise();
  // First with the words of lanes, then with uniforms.
  const auto text = [](const std::string &low, const std::string &high, const std::string &amount,
                       const std::string &row) {
    return "{ uint64_t x = packUint2x32(uvec2(" + low + ", " + high + ")); int64_t y = int64_t(x); uint s = (" +
           amount +
           " & 31u) | 32u; uint64_t a = (x >> s) ^ ((x << s) * 3ul); int64_t b = (y >> s) ^ ((y >> 33) + (y >> 62) * "
           "5l)"
           " ^ ((y | int64_t(0x8000000000000000ul)) >> s);"
           "uvec2 c = unpackUint2x32(a), e = unpackUint2x32(uint64_t(b)); r(" +
           row + ") = c.x; r(" + row + " + 1u) = c.y; r(" + row + " + 2u) = e.x; r(" + row + " + 3u) = e.y; }";
  };
  const auto compute = [](uint32_t low, uint32_t high, uint32_t amount, uint32_t row) {
    const uint64_t x = pair(low, high);
    const int64_t y = static_cast<int64_t>(x);
    const unsigned s = (amount & 31) | 32;
    const uint64_t a = (x >> s) ^ ((x << s) * 3);
    const uint64_t b = static_cast<uint64_t>(y >> s) ^ (static_cast<uint64_t>(y >> 33) + (y >> 62) * 5ull) ^
                       static_cast<uint64_t>(static_cast<int64_t>(x | 1ull << 63) >> s);
    return half(row < 2 ? a : b, row & 1);
  };
  checkDefect(Int64, "", text("data[i]", "data[i + 1]", "data[i + 2]", "0u") + text("u[0].x", "u[0].y", "u[1].x", "4u"),
              in, 8, [&](uint32_t i, uint32_t row) {
                return row < 4 ? compute(in.words[i], in.words[i + 1], in.words[i + 2], row)
                               : compute(in.uniforms[0], in.uniforms[1], in.uniforms[4], row - 4);
              });
}

TEST_CASE("LLVM #199052, #165295: funnel shifts of uniforms by constants") {
  const DefectInputs in = noise();
  const auto &u = in.uniforms;
  checkDefect("", "",
              "uint a = u[0].x, b = u[1].y; r(0) = (a << 13) | (b >> 19); r(1) = (a << 1) | (a >> 31);"
              "r(2) = (0x12345678u << 5) | (b >> 27); r(3) = (a >> 7) | (b << 25); r(4) = (a << 31) | (b >> 1);"
              "r(5) = (a << (u[2].x & 31u)) | (a >> ((32u - u[2].x) & 31u));",
              in, 6, [&](uint32_t, uint32_t row) {
                const uint32_t a = u[0], b = u[5];
                const uint32_t results[] = {rotateLeft(a, b, 13), rotateLeft(a, a, 1),  rotateLeft(0x12345678u, b, 5),
                                            rotateLeft(b, a, 25), rotateLeft(a, b, 31), std::rotl(a, int(u[8] & 31))};
                return results[row];
              });
}

TEST_CASE("LLVM #200576: 64-bit literals keep both halves where branches choose between them") {
  const DefectInputs in = noise();
  checkDefect(
      Int64, "",
      "uint64_t v = packUint2x32(u[0].xy), w = packUint2x32(uvec2(data[i], data[i + 1])) * 3ul;"
      "if (u[1].x > 0x3f000000u) { v = 0x123456789abcdef1ul; w += 0x123456789abcdef1ul; r(4) = 1u; }"
      "for (uint n = 0u; n < (u[2].x & 3u); n++) { v = v * 0xfedcba9876543211ul + w; w = 0xfedcba9876543211ul; }"
      "double f = 0.1LF; if ((u[3].y & 1u) == 0u) f = 3.7LF; uvec2 g = unpackDouble2x32(f);"
      "r(0) = unpackUint2x32(v).x; r(1) = unpackUint2x32(v).y; r(2) = unpackUint2x32(w).x;"
      "r(3) = unpackUint2x32(w).y; r(5) = g.x; r(6) = g.y;",
      in, 7, [&](uint32_t i, uint32_t row) {
        const auto &u = in.uniforms;
        uint64_t v = pair(u[0], u[1]), w = pair(in.words[i], in.words[i + 1]) * 3;
        const bool isTaken = u[4] > 0x3f000000u;
        if (isTaken)
          v = 0x123456789abcdef1ull, w += v;
        for (uint32_t n = 0; n < (u[8] & 3); ++n)
          v = v * 0xfedcba9876543211ull + w, w = 0xfedcba9876543211ull;
        if (row == 4)
          return uint32_t(isTaken);
        if (row > 4)
          return half(std::bit_cast<uint64_t>((u[13] & 1) == 0 ? 3.7 : 0.1), row - 5);
        return half(row < 2 ? v : w, row & 1);
      });
}

TEST_CASE("LLVM #200576: 64-bit literals keep both halves beside uniform values that are loaded to VGPRs") {
  DefectInputs in = noise();
  in.words[201] = (in.words[201] & 0xfffff) | 0x40a00000;
  checkDefect(Int64, "",
              "double x = packDouble2x32(uvec2(data[200], data[201])), sum = x + 2048.0LF;"
              "int64_t y = int64_t(packUint2x32(uvec2(data[202], data[203])));"
              "uint flags = 0u; if (!(x <= 2048.0LF)) flags = 1u; if (y > -256l) flags |= 2u;"
              "if (y == 0x123456789abcdef1l) flags |= 4u; if (x < 4096.0LF) flags |= 8u;"
              "uint64_t z = uint64_t(y) ^ 0x123456789abcdef1ul, w = uint64_t(y) & 0xfffffff0fffffffful;"
              "r(0) = flags; r(1) = unpackUint2x32(z).x; r(2) = unpackUint2x32(z).y; r(3) = unpackUint2x32(w).y;"
              "r(4) = unpackDouble2x32(sum).x; r(5) = unpackDouble2x32(sum).y;",
              in, 6, [&](uint32_t, uint32_t row) {
                const double x = std::bit_cast<double>(pair(in.words[200], in.words[201]));
                const uint64_t y = pair(in.words[202], in.words[203]), z = y ^ 0x123456789abcdef1ull;
                const uint64_t sum = std::bit_cast<uint64_t>(x + 2048.0);
                const uint32_t flags =
                    (x > 2048) | (int64_t(y) > -256) << 1 | (y == 0x123456789abcdef1ull) << 2 | (x < 4096) << 3;
                const uint32_t results[] = {flags,        half(z, 0),  half(z, 1), half(y & 0xfffffff0ffffffffull, 1),
                                            half(sum, 0), half(sum, 1)};
                return results[row];
              });
}

TEST_CASE("LLVM #119218, #106977, #79110: products whose high half is looked at") {
  const DefectInputs in = noise();
  const auto &d = in.words;
  checkDefect(
      Int64, "",
      "uint64_t x = packUint2x32(uvec2(data[i], data[i + 1])); uint64_t y = (x >> 32) * 0xffffffff00000003ul + x;"
      "uint low, high; int slow, shigh;"
      "umulExtended(data[i] & 0xffffffu, data[i + 1] & 0xffffffu, high, low);"
      "imulExtended(bitfieldExtract(int(data[i]), 0, 24), bitfieldExtract(int(data[i + 1]), 0, 24), shigh, slow);"
      "int mhigh, mlow; imulExtended(int(data[i] & 0xffffffu), int(data[i + 1]), mhigh, mlow);"
      "r(0) = unpackUint2x32(y).x; r(1) = unpackUint2x32(y).y; r(2) = high; r(3) = low; r(4) = uint(shigh);"
      "r(5) = uint(slow); r(6) = uint(mhigh) ^ low; r(7) = (data[i] & 0xffffffu) * (data[i + 1] & 0xffffffu) + i;",
      in, 8, [&](uint32_t i, uint32_t row) {
        const uint32_t a = d[i] & 0xffffff, b = d[i + 1] & 0xffffff;
        const uint64_t product = uint64_t(a) * b, x = pair(d[i], d[i + 1]);
        const uint64_t signedProduct = uint64_t(int64_t(signExtend(d[i], 24)) * signExtend(d[i + 1], 24));
        const uint64_t mixed = uint64_t(int64_t(a) * int32_t(d[i + 1]));
        switch (row) {
        case 0:
        case 1:
          return half((x >> 32) * 0xffffffff00000003ull + x, row);
        case 2:
        case 3:
          return half(product, 3 - row);
        case 4:
        case 5:
          return half(signedProduct, 5 - row);
        case 6:
          return half(mixed, 1) ^ half(product, 0);
        default:
          return half(product, 0) + i;
        }
      });
}

TEST_CASE("LLVM #139908, #168458: a 64-bit constant of two equal halves is no 32-bit constant") {
  DefectInputs in = noise();
  for (uint32_t i = 0; i < 64; ++i)
    in.words[i] = 42, in.words[i + 64] = i % 3 == 0 ? 42 : i % 3 == 1 ? 0 : 43;
  in.uniforms[0] = 42, in.uniforms[1] = 0;
  checkDefect(Int64, "",
              "uint64_t x = packUint2x32(uvec2(data[i], data[i + 64])), y = packUint2x32(u[0].xy);"
              "r(0) = x == 0x0000002a0000002aul ? 1u : 2u; r(1) = y == 0x0000002a0000002aul ? 1u : 2u;"
              "r(2) = x >= 0x0000002a0000002aul ? 1u : 2u; uint64_t z = x ^ 0x0000002a0000002aul;"
              "r(3) = unpackUint2x32(z).x; r(4) = unpackUint2x32(z).y;",
              in, 5, [&](uint32_t i, uint32_t row) {
                const uint64_t x = pair(in.words[i], in.words[i + 64]), splat = 0x0000002a0000002aull;
                const uint32_t results[] = {x == splat ? 1u : 2u, 2u, x >= splat ? 1u : 2u, half(x ^ splat, 0),
                                            half(x ^ splat, 1)};
                return results[row];
              });
}

TEST_CASE("LLVM #139317, #142142: a packed constant of two different halves keeps both") {
  const DefectInputs in = noise();
  checkDefect(
      "GL_EXT_shader_explicit_arithmetic_types_float16 GL_EXT_shader_explicit_arithmetic_types_int16", "",
      "f16vec4 v = f16vec4(float16_t(i), float16_t(i + 1u), float16_t(i + 2u), float16_t(i + 3u));"
      "f16vec4 s = v + f16vec4(0.0hf, 1.0hf, 2.0hf, 3.0hf); f16vec4 p = v * f16vec4(2.0hf, 3.0hf, 0.5hf, 1.0hf);"
      "u16vec4 w = u16vec4(i, i + 1u, i + 2u, i + 3u) + u16vec4(1, 2, 64, 65);"
      "r(0) = uint(s.x) | uint(s.y) << 8 | uint(s.z) << 16 | uint(s.w) << 24;"
      "r(1) = uint(p.x) | uint(p.y) << 8; r(2) = uint(p.z * 2.0hf) | uint(p.w) << 8;"
      "r(3) = uint(w.x) | uint(w.y) << 8 | uint(w.z) << 16 | uint(w.w) << 24;",
      in, 4, [](uint32_t i, uint32_t row) {
        const uint32_t results[] = {i | (i + 2) << 8 | (i + 4) << 16 | (i + 6) << 24, i * 2 | ((i + 1) * 3) << 8,
                                    (i + 2) | (i + 3) << 8, (i + 1) | (i + 3) << 8 | (i + 66) << 16 | (i + 68) << 24};
        return results[row];
      });
}

TEST_CASE("LLVM #123942, #124131, #123221, #218512: bytes and words of bytes and words, across blocks") {
  const DefectInputs in = noise();
  const auto &d = in.words;
  checkDefect("GL_EXT_shader_explicit_arithmetic_types_int16 GL_EXT_shader_explicit_arithmetic_types_int8", "",
              "uint a = data[i], b = data[i + 1]; uint word = a >> 16; uint byte = bitfieldExtract(a, 8, 8);"
              "uint16_t narrow = uint16_t(a >> 16); int16_t wide = int16_t(int(b) >> 16); uint x = 0u, y = 0u, z = 0u;"
              "if ((data[i + 2] & 1u) != 0u) { x = word + (b & 0xffffu); y = (word & 0xffu) + (b >> 24);"
              "  z = uint(uint8_t(narrow >> 8us)) * (b & 0xffu); }"
              "else { x = (word << 8) ^ (byte + (b >> 16)); y = uint(int(wide)) + byte; z = (byte << 16) | word; }"
              "r(0) = x; r(1) = y; r(2) = z; r(3) = (x >> 16) + (y & 0xffffu);"
              "r(4) = ((x + y) & 0xffu) << 8; r(5) = uint(uint16_t(uint16_t(x) + uint16_t(y))) << 16 | (z & 0xffffu);",
              in, 6, [&](uint32_t i, uint32_t row) {
                const uint32_t a = d[i], b = d[i + 1], word = a >> 16, byte = (a >> 8) & 0xff;
                uint32_t x, y, z;
                if (d[i + 2] & 1) {
                  x = word + (b & 0xffff), y = (word & 0xff) + (b >> 24), z = (word >> 8) * (b & 0xff);
                } else {
                  x = (word << 8) ^ (byte + (b >> 16)), y = uint32_t(int32_t(b) >> 16) + byte, z = byte << 16 | word;
                }
                const uint32_t results[] = {
                    x, y, z, (x >> 16) + (y & 0xffff), ((x + y) & 0xff) << 8, (x + y) << 16 | (z & 0xffff)};
                return results[row];
              });
}

TEST_CASE("LLVM #198412, #198708: bytes of sign extensions beside bytes of their source, and borrows of uniforms") {
  for (const uint32_t count : {0u, 7u}) {
    DefectInputs in = noise();
    in.uniforms[0] = count, in.uniforms[1] = 7;
    const auto &d = in.words;
    checkDefect(
        "GL_EXT_shader_explicit_arithmetic_types_int8 GL_EXT_shader_explicit_arithmetic_types_int16", "",
        "uint a = data[i], b = data[i + 1]; uint x = uint(int(int8_t((a & 127u) * (a & 127u)))); int y = int(b) >> 8;"
        "r(0) = ((x >> 16) & 255u) | (b & 0xff00u) | (x & 0xff0000u) | (b & 0xff000000u);"
        "r(1) = ((b >> 8) & 0xff00u) | (b & 0xff000000u) | ((uint(y) >> 16) & 255u) | ((uint(y) >> 8) & 0xff0000u);"
        "uint h = uint(uint16_t(a)); r(2) = h | ((a & 0xff00u) << 8);"
        "r(3) = uint(int(int16_t(a)) >> 8 & 0xff) | (uint(int(int16_t(a))) & 0xffff0000u);"
        "uint k = u[0].x & 1023u, v = u[0].y; uint t = v - uint(k != v); r(4) = t & 1023u;"
        "r(5) = v + uint(k == v); r(6) = uint(k * 3u < v) - v; r(7) = uint(float(t & 1023u) * 2.0);",
        in, 8, [&](uint32_t i, uint32_t row) {
          const uint32_t a = d[i], b = d[i + 1], k = count, v = 7, t = v - (k != v);
          const uint32_t x = static_cast<uint32_t>(signExtend((a & 127) * (a & 127) & 255, 8));
          const uint32_t y = static_cast<uint32_t>(static_cast<int32_t>(b) >> 8);
          const int32_t low = signExtend(a & 0xffff, 16);
          const uint32_t results[] = {(x >> 16 & 255) | (b & 0xff00) | (x & 0xff0000) | (b & 0xff000000),
                                      (b >> 8 & 0xff00) | (b & 0xff000000) | (y >> 16 & 255) | (y >> 8 & 0xff0000),
                                      (a & 0xffff) | (a & 0xff00) << 8,
                                      (uint32_t(low >> 8) & 0xff) | (uint32_t(low) & 0xffff0000),
                                      t & 1023,
                                      v + (k == v),
                                      (k * 3 < v) - v,
                                      (t & 1023) * 2};
          return results[row];
        });
  }
}

TEST_CASE("LLVM #137930, #138766, #139541: a selection between bytes and words") {
  const DefectInputs in = noise();
  const auto &d = in.words;
  checkDefect("", "",
              "uint a = data[i], b = data[i + 1]; bool p = data[i + 2] > data[i + 3];"
              "r(0) = p ? a >> 16 : b & 0xffffu; r(1) = p ? (a & 0xffu) : (b >> 24);"
              "r(2) = uint(p ? int(a) >> 16 : bitfieldExtract(int(b), 8, 8));"
              "r(3) = (p ? a >> 24 : b) + (p ? b & 0xffffu : a >> 16);",
              in, 4, [&](uint32_t i, uint32_t row) {
                const uint32_t a = d[i], b = d[i + 1];
                const bool p = d[i + 2] > d[i + 3];
                const uint32_t results[] = {p ? a >> 16 : b & 0xffff, p ? a & 0xff : b >> 24,
                                            uint32_t(p ? int32_t(a) >> 16 : signExtend(b >> 8, 8)),
                                            (p ? a >> 24 : b) + (p ? b & 0xffff : a >> 16)};
                return results[row];
              });
}

TEST_CASE("LLVM #217084: a comparison of words as a mask of lanes, or'ed with a sum of the same words") {
  DefectInputs in = noise();
  for (uint32_t i = 0; i < 64; i += 3)
    in.words[i + 1] = (in.words[i] & 0xffff0000u) | 5;
  checkDefect("GL_KHR_shader_subgroup_ballot", "",
              "uint a = data[i] >> 16, b = data[i + 1] >> 16; uvec4 equal = subgroupBallot(a == b);"
              "r(0) = (equal.x & 0xffffu) | (a + b); r(1) = equal.y | ((a + b) << 3);",
              in, 2, [&](uint32_t i, uint32_t row) {
                uint64_t equal = 0;
                for (uint32_t lane = 0; lane < 64; ++lane)
                  equal |= uint64_t(in.words[lane] >> 16 == in.words[lane + 1] >> 16) << lane;
                const uint32_t sum = (in.words[i] >> 16) + (in.words[i + 1] >> 16);
                return row == 0 ? half(equal, 0) % 0x10000 | sum : half(equal, 1) | sum << 3;
              });
}

TEST_CASE("LLVM #140042, #135194: a subtraction if above a threshold") {
  DefectInputs in = noise();
  for (uint32_t i = 0; i < 64; ++i)
    in.words[i] = i % 2 ? i : 0u - i;
  checkDefect(
      "", "",
      "uint x = data[i]; r(0) = x >= 13u ? x - 13u : x; int y = int(x) | 51; r(1) = uint(uint(y) < 0xffffffefu ?"
      "  y : y + 17); r(2) = x > 40u ? x + 0xffffffd7u : x; r(3) = u[0].x >= 13u ? u[0].x - 13u : u[0].x;",
      in, 4, [&](uint32_t i, uint32_t row) {
        const uint32_t x = in.words[i], y = x | 51, z = in.uniforms[0];
        const uint32_t results[] = {x >= 13 ? x - 13 : x, y < 0xffffffefu ? y : y + 17, x > 40 ? x - 41 : x,
                                    z >= 13 ? z - 13 : z};
        return results[row];
      });
}

TEST_CASE("LLVM #162352, #164201, #167382, #176962: comparisons of uniforms with 0 beside what sets SCC") {
  for (const uint32_t count : {0u, 1u, 32u, 0xffffffffu}) {
    DefectInputs in = noise();
    in.uniforms[0] = count, in.uniforms[1] = 0xf0, in.uniforms[4] = 0u - count;
    checkDefect(
        Int64, "",
        "uint a = u[0].x, b = u[0].y, c = u[1].x; uint s = a << 3, m = a & b, t = a + 1u, n = min(a, b);"
        "uint64_t w = packUint2x32(uvec2(a, 0u)) & packUint2x32(uvec2(b, b)); uint e = a + c;"
        "r(0) = s != 0u ? 1u : s + 5u; r(1) = m == 0u ? b : m; r(2) = t == 0u ? 7u : t; r(3) = w != 0ul ? 9u : 4u;"
        "r(4) = e == 0u ? a : e; r(5) = n != 0u ? n * 3u : b; r(6) = bitCount(a) == 0 ? 11u : uint(bitCount(a));"
        "r(7) = (a - b) == 0u ? 1u : (a ^ b) == 0u ? 2u : (~a) == 0u ? 3u : (a >> 5) == 0u ? 4u : 6u;",
        in, 8, [&](uint32_t, uint32_t row) {
          const uint32_t a = count, b = 0xf0, c = 0u - count;
          const uint32_t results[] = {(a << 3) ? 1u : 5u,
                                      (a & b) == 0 ? b : a & b,
                                      a + 1 == 0 ? 7u : a + 1,
                                      (a & b) ? 9u : 4u,
                                      a + c == 0 ? a : a + c,
                                      std::min(a, b) ? std::min(a, b) * 3 : b,
                                      std::popcount(a) ? uint32_t(std::popcount(a)) : 11u,
                                      a == b      ? 1u
                                      : !~a       ? 3u
                                      : !(a >> 5) ? 4u
                                                  : 6u};
          return results[row];
        });
  }
}

TEST_CASE("LLVM #155255, #159814: the carry of an addition, as a comparison and as a number") {
  DefectInputs in = noise();
  in.uniforms[0] = 0xffffff00u, in.uniforms[1] = 0x200;
  checkDefect("", "",
              "uint carry, borrow, a = data[i], b = data[i + 1]; uint sum = uaddCarry(a, b, carry);"
              "uint difference = usubBorrow(a, b, borrow); r(0) = sum; r(1) = carry; r(2) = difference; r(3) = borrow;"
              "r(4) = a + b < a ? 5u : 6u; uint x = u[0].x + u[0].y; r(5) = x < u[0].x ? x : 3u;"
              "uint y = uaddCarry(u[0].x, u[0].y, carry); r(6) = y + carry; r(7) = carry == 1u ? 8u : 9u;",
              in, 8, [&](uint32_t i, uint32_t row) {
                const uint32_t a = in.words[i], b = in.words[i + 1];
                const uint32_t results[] = {a + b, a + b < a, a - b, a < b, a + b < a ? 5u : 6u, 0x100, 0x101, 8};
                return results[row];
              });
}

TEST_CASE("LLVM #157254, #177872, #217573: zeros keep their signs where a shader asks for it") {
  const DefectInputs in = zeros();
  checkDefect(
      "GL_EXT_spirv_intrinsics", KeepSigns,
      "float x = uintBitsToFloat(data[i]), y = uintBitsToFloat(data[i + 64]); float sum = x + y, product = x * y;"
      "b(0, sum); b(1, -sum); b(2, x + 0.0); b(3, 0.0 - x); b(4, -product); b(5, x - y);"
      "b(6, data[i + 128] > 0x3f000000u ? -x : y); b(7, -(x * y + x)); b(8, x * -1.0); b(9, -x - y);",
      in, 10, [&](uint32_t i, uint32_t row) {
        const float x = std::bit_cast<float>(in.words[i]), y = std::bit_cast<float>(in.words[i + 64]);
        const float results[] = {
            x + y,        -(x + y), x + 0.0f, 0.0f - x, -(x * y), x - y, in.words[i + 128] > 0x3f000000u ? -x : y,
            -(x * y + x), -x,       -x - y};
        return std::bit_cast<uint32_t>(results[row]);
      });
}

TEST_CASE(
    "LLVM #203827, #216970, #203822: a clamp of NaN is its minimum, also negated, and where a bound is infinite") {
  DefectInputs in = noise();
  for (uint32_t i = 0; i < 64; ++i)
    in.words[i] = i % 4 == 0 ? 0x7fc00000u : std::bit_cast<uint32_t>(float(i) * 0.75f - 20);
  // %y is negative in some lanes, %z is above it, and %n is NaN in every third lane.
  const std::string numbers = "%from_i = OpConvertUToF %float %i\n%y = OpFSub %float %from_i %twenty\n"
                              "%z = OpFAdd %float %y %twenty\n%third = OpUMod %uint %i %three\n"
                              "%is_third = OpIEqual %bool %third %zero\n%n = OpSelect %float %is_third %nan %z\n";
  std::string body = numbers;
  std::vector<std::string> results;
  for (const char *value : {"%x %y %z", "%x %minus_infinity %y", "%x %y %infinity", "%x %y %n", "%x %one %two"})
    for (const bool isNegated : {false, true}) {
      const std::string name = "%v" + std::to_string(results.size());
      body += name + "f = OpExtInst %float %glsl NClamp " + value + "\n";
      if (isNegated)
        body += name + "n = OpFNegate %float " + name + "f\n";
      body += name + " = OpBitcast %uint " + name + (isNegated ? "n" : "f") + "\n";
      results.push_back(name);
    }
  checkDefectOfAssembly("%three = OpConstant %uint 3\n%twenty = OpConstant %float 20\n%one = OpConstant %float 1\n"
                        "%two = OpConstant %float 2\n%nan = OpConstant %float 0x1.8p+128\n"
                        "%infinity = OpConstant %float 0x1p+128\n%minus_infinity = OpConstant %float -0x1p+128\n",
                        body, results, in, [&](uint32_t i, uint32_t row) {
                          const float x = std::bit_cast<float>(in.words[i]), y = float(i) - 20, z = y + 20;
                          const float infinity = std::numeric_limits<float>::infinity();
                          const float n = i % 3 == 0 ? std::numeric_limits<float>::quiet_NaN() : z;
                          const float bounds[][2] = {{y, z}, {-infinity, y}, {y, infinity}, {y, n}, {1, 2}};
                          const auto &[low, high] = bounds[row / 2];
                          const float clamped = std::fmin(std::fmax(x, low), high);
                          return std::bit_cast<uint32_t>(row % 2 ? -clamped : clamped);
                        });
}

TEST_CASE("LLVM: 0 - x is no -x where the signs of zeros count, whoever reads it") {
  const DefectInputs in = zeros();
  checkDefect("GL_EXT_spirv_intrinsics", KeepSigns,
              "float x = uintBitsToFloat(data[i]), y = uintBitsToFloat(data[i + 64]);"
              "b(0, (0.0 - x) * y); b(1, 0.0 - x - y); b(2, (-x + 0.0) * y); b(3, y - (0.0 - x));"
              "b(4, min(0.0 - x, y * 3.0)); b(5, fma(0.0 - x, 1.5, y)); b(6, -(0.0 - x) * y);",
              in, 7, [&](uint32_t i, uint32_t row) {
                const float x = std::bit_cast<float>(in.words[i]), y = std::bit_cast<float>(in.words[i + 64]);
                const float d = 0.0f - x;
                const float least = d == 0 && y == 0 && std::signbit(y) ? y : std::fmin(d, y * 3);
                const float results[] = {d * y, d - y, d * y, y - d, least, std::fma(d, 1.5f, y), -d * y};
                return std::bit_cast<uint32_t>(results[row]);
              });
}

TEST_CASE("LLVM: 0 - x is no -x where the signs of zeros of halves count") {
  DefectInputs in = noise();
  const uint16_t numbers[] = {0, 0x8000, 0x3e00, 0xbe00}; // 0, -0, 1.5 and -1.5
  for (uint32_t i = 0; i < 64; ++i)
    in.words[i] = numbers[i & 3] | uint32_t(numbers[i / 4 & 3]) << 16;
  checkDefect("GL_EXT_spirv_intrinsics",
              "#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require\n"
              "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], capabilities = [4466], 4461, 16);\n",
              "f16vec2 h = unpackFloat2x16(data[i]); float16_t zero = float16_t(0.0);"
              "r(0) = packFloat2x16(f16vec2((zero - h.x) * h.y, (zero - h.y) * h.x));"
              "r(1) = packFloat2x16((f16vec2(zero) - h) * h.yx);",
              in, 2, [&](uint32_t i, uint32_t) {
                const auto product = [](uint32_t a, uint32_t b) { // (0 - a) * b
                  const uint32_t d = a == 0x8000 ? 0 : a == 0 ? 0 : a ^ 0x8000;
                  const uint32_t sign = (d ^ b) & 0x8000;
                  return sign | ((d & 0x7fff) && (b & 0x7fff) ? 0x4080u : 0u); // 2.25
                };
                const uint32_t x = in.words[i] & 0xffff, y = in.words[i] >> 16;
                return product(x, y) | product(y, x) << 16;
              });
}

TEST_CASE("LLVM: what constants give is flushed where a shader asks for it, as what other numbers give") {
  DefectInputs in = noise();
  const float numbers[] = {0x1p127f, 0x1p-70f, 1, 0x1p-127f};
  const char *literals[] = {"1.7014118346046923e38", "8.470329472543003e-22", "1.0", "5.877471754111438e-39"};
  std::string constants, loads;
  for (uint32_t k = 0; k < 4; ++k) {
    in.words[64 + k] = std::bit_cast<uint32_t>(numbers[k]);
    const std::string name(1, "abcd"[k]);
    constants += "layout(constant_id = " + std::to_string(k) + ") const float " + name + " = " + literals[k] + ";\n";
    loads += "float " + name + " = uintBitsToFloat(data[" + std::to_string(64 + k) + "]);";
  }
  for (const bool isConstant : {true, false})
    checkDefect("GL_EXT_spirv_intrinsics",
                "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], capabilities = [4465], 4460, 32);\n"
                "#define f(n, x) r(n) = floatBitsToUint(x)\n" +
                    (isConstant ? constants : std::string()),
                (isConstant ? std::string() : loads) +
                    "f(0, c / a); f(1, b * b); f(2, d * a); f(3, c / d); f(4, d + c); f(5, b * (b * a)); f(6, sqrt(d));"
                    "f(7, c / (b * b)); f(8, b * b + b * b);",
                in, 9, [&](uint32_t, uint32_t row) {
                  const uint32_t infinity = 0x7f800000, small = std::bit_cast<uint32_t>(0x1p-13f);
                  const uint32_t results[] = {0, 0, 0, infinity, 0x3f800000, small, 0, infinity, 0};
                  return results[row];
                });
}

TEST_CASE("LLVM #93414: a selection between a number and zero gives the zero that it names") {
  const DefectInputs in = zeros();
  checkDefect(
      "GL_EXT_spirv_intrinsics", KeepSigns,
      "float x = uintBitsToFloat(data[i]), y = uintBitsToFloat(data[i + 64]);"
      "b(0, x < 0.0 ? x : 0.0); b(1, x > -0.0 ? x : -0.0); b(2, x <= 0.0 ? 0.0 : x); b(3, x < y ? x : y);"
      "b(4, x >= y ? y : x);",
      in, 5, [&](uint32_t i, uint32_t row) {
        const float x = std::bit_cast<float>(in.words[i]), y = std::bit_cast<float>(in.words[i + 64]);
        const float results[] = {x < 0 ? x : 0.0f, x > 0 ? x : -0.0f, x <= 0 ? 0.0f : x, x < y ? x : y, x >= y ? y : x};
        return std::bit_cast<uint32_t>(results[row]);
      });
}

TEST_CASE("LLVM #160151, #180168, #180169: differences and products of a float and halves") {
  const DefectInputs in = noise();
  checkDefect(
      "GL_EXT_shader_explicit_arithmetic_types_float16", "#define b(n, x) r(n) = floatBitsToUint(x)\n",
      "f16vec2 h = f16vec2(int(i) - 20, i * 2u), k = f16vec2(7u + i, 3u); float x = float(i) * 0.25 + 1.0;"
      "b(0, x - float(h.x)); b(1, float(h.y) - x); b(2, x - float(h.x) * float(k.x));"
      "b(3, float(h.y) * float(k.y) - x); b(4, -float(h.x) * float(k.y) - x);"
      "b(5, abs(float(h.x)) * x + float(k.x)); b(6, float(-h.x) - float(k.y)); b(7, float(float16_t(x - float(k.y))));",
      in, 8, [](uint32_t i, uint32_t row) {
        const float x = float(i) * 0.25f + 1, hx = float(i) - 20, hy = float(i) * 2, kx = 7 + float(i), ky = 3;
        const float results[] = {x - hx,   hy - x, x - hx * kx, hy * ky - x, -hx * ky - x, std::fabs(hx) * x + kx,
                                 -hx - ky, x - ky};
        return std::bit_cast<uint32_t>(results[row]);
      });
}

TEST_CASE("LLVM #199274: exponents of halves that are scaled twice do not wrap") {
  const DefectInputs in = noise();
  checkDefect("GL_EXT_shader_explicit_arithmetic_types", "",
              "int16_t far = int16_t((data[i] & 0xffu) | 0x7f00u), near = int16_t((data[i] & 0xffu) | 0x8000u);"
              "float16_t x = float16_t(1.5) + float16_t(data[i + 1] & 1u);"
              "r(0) = uint(float16BitsToUint16(ldexp(ldexp(x, far), far | int16_t(3))));"
              "r(1) = uint(float16BitsToUint16(ldexp(ldexp(x, near), near)));"
              "float16_t y = x; for (int n = 0; n < 9; ++n) y = ldexp(y, far); r(2) = uint(float16BitsToUint16(y));"
              "r(3) = uint(float16BitsToUint16(ldexp(ldexp(x, int16_t(-7)), int16_t(9))));",
              in, 4, [&](uint32_t i, uint32_t row) {
                constexpr uint32_t infinity = 0x7c00, six = 0x4600, ten = 0x4900;
                const uint32_t results[] = {infinity, 0, infinity, in.words[i + 1] & 1 ? ten : six};
                return results[row];
              });
}
