// SPDX-License-Identifier: MIT
//
// Defects of LLVM, fixed or not, in memory accesses: in its vectoriser of loads and stores, its splitting of offsets,
// its promotion of arrays to registers, its register coalescer and its sinking of loads.
#include "tests/features/llvm-defects/llvm_defects.h"
#include <algorithm>

using namespace dovetail;

TEST_CASE("LLVM #181708: a load of shared memory is not moved across a barrier") {
  const DefectInputs in = noise();
  checkDefect("", "shared uint words[64];",
              "words[i] = data[i]; barrier(); uint x = words[(i + 17u) & 63u], y = words[(i + 40u) & 63u]; barrier();"
              "words[(i * 5u) & 63u] = i * 3u; barrier();"
              "if ((data[i + 64] & 1u) != 0u) r(0) = x * 7u + words[i]; else r(0) = words[i ^ 1u] ^ y;",
              in, 1, [&](uint32_t i, uint32_t) {
                const auto &d = in.words;
                uint32_t words[64];
                for (uint32_t lane = 0; lane < 64; ++lane)
                  words[(lane * 5) & 63] = lane * 3;
                return d[i + 64] & 1 ? d[(i + 17) & 63] * 7 + words[i] : words[i ^ 1] ^ d[(i + 40) & 63];
              });
}

TEST_CASE("LLVM #130616, #150438, #179339, #175724: constants in xor'ed, subtracted and nested indices") {
  const DefectInputs in = noise();
  checkDefect(
      "GL_EXT_shader_explicit_arithmetic_types_int8", "shared uint words[256];",
      "for (uint n = 0u; n < 4u; n++) words[i + 64u * n] = (i + 64u * n) * 77u; barrier();"
      "uint a = data[i] & 63u, b = data[i + 1] & 31u;"
      "uint own[72]; for (uint n = 0u; n < 72u; n++) own[n] = n * 5u + i;"
      "r(0) = words[(a ^ 12u) + 32u]; r(1) = words[((a & 48u) ^ 15u) + 3u] - words[(a ^ 160u)];"
      "r(2) = words[100u - a]; r(3) = own[(a ^ 5u) + 8u] + own[71u - b];"
      "r(4) = words[((a + 32u) ^ 32u) & 255u]; uint8_t c = uint8_t(a), e = uint8_t(data[i + 2]);"
      "r(5) = words[uint(c)] + 3u * words[uint(uint8_t(c + uint8_t(64)))];"
      "r(6) = words[uint(e)] ^ (words[uint(uint8_t(e + uint8_t(1)))] << 3) ^ words[uint(uint8_t(e - uint8_t(1)))];",
      in, 7, [&](uint32_t i, uint32_t row) {
        const uint32_t a = in.words[i] & 63, b = in.words[i + 1] & 31, e = in.words[i + 2] & 255;
        const auto at = [](uint32_t index) { return index * 77; };
        const auto own = [&](uint32_t index) { return index * 5 + i; };
        const uint32_t results[] = {at((a ^ 12) + 32),
                                    at(((a & 48) ^ 15) + 3) - at(a ^ 160),
                                    at(100 - a),
                                    own((a ^ 5) + 8) + own(71 - b),
                                    at((a + 32) ^ 32),
                                    at(a) + 3 * at(a + 64),
                                    at(e) ^ at((e + 1) & 255) << 3 ^ at((e - 1) & 255)};
        return results[row];
      });
}

TEST_CASE("LLVM #221381: a constant stays within an index of 16 bits that wraps") {
  DefectInputs in = noise();
  for (uint32_t i = 0; i < 64; ++i)
    in.words[i] = 0xabcd7ff0u + (i & 15), in.words[i + 64] = 0x5678fff0u + (i & 15);
  checkDefect("GL_EXT_shader_explicit_arithmetic_types_int16", "shared uint words[256];",
              "for (uint n = 0u; n < 4u; n++) words[i + 64u * n] = (i + 64u * n) * 77u; barrier();"
              "int sum = int(data[i] & 0x7fffu) + 17; int16_t wrapped = int16_t(sum);"
              "r(0) = words[int(wrapped) + 0x8000]; r(1) = wrapped > int16_t(-0x7ff8) ? 4u : 5u; r(2) = uint(sum) * 3u;"
              "uint more = (data[i + 64] & 0xffffu) + 19u; uint16_t low = uint16_t(more);"
              "r(3) = words[uint(low) + 2u]; r(4) = low > uint16_t(9) ? 6u : 7u; r(5) = more * 5u;",
              in, 6, [](uint32_t i, uint32_t row) {
                const uint32_t sum = 0x7ff0 + (i & 15) + 17, more = 0xfff0 + (i & 15) + 19, low = more & 0xffff;
                const uint32_t results[] = {(sum - 0x8000) * 77, sum - 0x8000 > 8 ? 4u : 5u, sum * 3,
                                            (low + 2) * 77,      low > 9 ? 6u : 7u,          more * 5};
                return results[row];
              });
}

TEST_CASE("LLVM #122342, #123173, #175489: an array in registers is indexed by its own elements") {
  const DefectInputs in = noise();
  checkDefect("", "",
              "uint a[8]; for (uint n = 0u; n < 8u; n++) a[n] = data[i + n] & 7u; uint k = data[i + 20] & 7u;"
              "uint first = a[a[k]]; a[a[k]] = 5u; uint second = a[a[a[k]]]; a[k] = a[(k + 1u) & 7u] + 8u;"
              "r(0) = first; r(1) = second; r(2) = a[k]; uint sum = 0u;"
              "for (uint n = 0u; n < 8u; n++) sum = sum * 16u + a[n]; r(3) = sum;",
              in, 4, [&](uint32_t i, uint32_t row) {
                uint32_t a[8], sum = 0;
                for (uint32_t n = 0; n < 8; ++n)
                  a[n] = in.words[i + n] & 7;
                const uint32_t k = in.words[i + 20] & 7, first = a[a[k]];
                a[a[k]] = 5;
                const uint32_t second = a[a[a[k]]];
                a[k] = a[(k + 1) & 7] + 8;
                for (uint32_t number : a)
                  sum = sum * 16 + number;
                const uint32_t results[] = {first, second, a[k], sum};
                return results[row];
              });
}

TEST_CASE("LLVM #116191, #124366, #134153, #165662: vectors of constants and of values that loops exchange") {
  const DefectInputs in = noise();
  checkDefect("", "",
              "uvec4 q = u[0], c = uvec4(7u, u[1].x, 7u, 1u); uint z = data[i];"
              "for (uint n = 0u; n < (u[2].x & 7u) + 2u; n++) { q = uvec4(q.y, q.z, q.w, q.x + n);"
              "  if ((u[n].y & 1u) != 0u) { q.x = z + n; c = uvec4(c.y, 7u, 1u, c.x); } else c.z = q.w; }"
              "r(0) = q.x + q.y; r(1) = q.z ^ z; r(2) = q.w; r(3) = c.x; r(4) = c.y; r(5) = c.z; r(6) = c.w;",
              in, 7, [&](uint32_t i, uint32_t row) {
                const auto &u = in.uniforms;
                uint32_t q[] = {u[0], u[1], u[2], u[3]}, c[] = {7, u[4], 7, 1};
                const uint32_t z = in.words[i];
                for (uint32_t n = 0; n < (u[8] & 7) + 2; ++n) {
                  std::rotate(q, q + 1, q + 4);
                  q[3] += n;
                  if (u[n * 4 + 1] & 1) {
                    q[0] = z + n;
                    const uint32_t x = c[0];
                    c[0] = c[1], c[1] = 7, c[2] = 1, c[3] = x;
                  } else {
                    c[2] = q[3];
                  }
                }
                const uint32_t results[] = {q[0] + q[1], q[2] ^ z, q[3], c[0], c[1], c[2], c[3]};
                return results[row];
              });
}

TEST_CASE("LLVM #218969: what a loop over descriptors reads for its lanes is used behind the loop") {
  const DefectInputs in = noise();
  checkDefect("GL_EXT_nonuniform_qualifier", "layout(std430, binding = 0) buffer Blocks { uint words[]; } blocks[1];",
              "uint k = min(data[i], 0u); uint x = blocks[nonuniformEXT(k)].words[i + 3u]; uint y = x * 3u + u[0].x;"
              "r(0) = 0u; if ((data[i + 1] & 1u) != 0u) { r(1) = y; } else { r(2) = x ^ u[1].y; } r(3) = x;",
              in, 4, [&](uint32_t i, uint32_t row) {
                const auto &d = in.words;
                const uint32_t x = d[i + 3], y = x * 3 + in.uniforms[0];
                const bool isOdd = d[i + 1] & 1;
                const uint32_t results[] = {0, isOdd ? y : 0, isOdd ? 0 : x ^ in.uniforms[5], x};
                return results[row];
              });
}

TEST_CASE("LLVM #215530: an element is stored at an index that is not constant, in a vector that is read then") {
  const DefectInputs in = noise();
  for (const std::string storage : {"Workgroup", "Private"}) {
    CAPTURE(storage);
    const std::string constants = R"(%one = OpConstant %uint 1
%three = OpConstant %uint 3
%lanes = OpConstant %uint 64
%length = OpConstant %uint 128
%pair = OpTypeVector %uint 2
%pairs = OpTypeArray %pair %length
%pairs_pointer = OpTypePointer )" +
                                  storage + R"( %pairs
%pair_pointer = OpTypePointer )" + storage +
                                  R"( %pair
%memory = OpVariable %pairs_pointer )" +
                                  storage + "\n";
    const std::string body = R"(%odd = OpBitwiseAnd %uint %bits %one
%distance = OpIMul %uint %odd %lanes
%other = OpIAdd %uint %i %distance
%j = OpShiftRightLogical %uint %bits %one
%component = OpBitwiseAnd %uint %j %one
%place = OpAccessChain %pair_pointer %memory %i
%other_place = OpAccessChain %pair_pointer %memory %other
%before = OpCompositeConstruct %pair %bits %i
%before_other = OpCompositeConstruct %pair %i %bits
OpStore %place %before
OpStore %other_place %before_other
%loaded = OpLoad %pair %place
%changed = OpVectorInsertDynamic %pair %loaded %three %component
OpStore %place %changed
%after = OpLoad %pair %other_place
%after_x = OpCompositeExtract %uint %after 0
%after_y = OpCompositeExtract %uint %after 1
)";
    checkDefectOfAssembly(constants, body, {"%after_x", "%after_y"}, in, [&](uint32_t i, uint32_t row) {
      const uint32_t bits = in.words[i];
      uint32_t pairs[2][2] = {{bits, i}, {}};
      uint32_t(&other)[2] = pairs[bits & 1];
      other[0] = i, other[1] = bits;
      pairs[0][bits >> 1 & 1] = 3;
      return other[row];
    });
  }
}
