// SPDX-License-Identifier: MIT
//
// AMD's extended instructions in compute shaders, against C++.
#include "tests/features/computed_words.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

std::vector<uint32_t> numbers(size_t count) {
  std::vector<uint32_t> words(count);
  uint32_t state = 99;
  for (uint32_t &word : words)
    word = state = state * 1664525u + 1013904223u;
  return words;
}

// Floats from -8 to 8.
std::vector<uint32_t> floats(size_t count) {
  std::vector<uint32_t> words = numbers(count);
  for (uint32_t &word : words)
    word = std::bit_cast<uint32_t>(float(int32_t(word)) * 0x1p-28f);
  return words;
}

float floatOf(uint32_t word) {
  return std::bit_cast<float>(word);
}

} // namespace

TEST_CASE("minima, maxima and medians of three") {
  ShaderSet shaders =
      computeOf("GL_AMD_shader_trinary_minmax", "",
                "uint a = data[i], b = data[i + 64u], c = data[i + 128u];"
                "vec2 x = vec2(int(a)), y = vec2(int(b)), z = vec2(int(c));"
                "data[i] = min3(a, b, c); data[i + 64u] = max3(a, b, c); data[i + 128u] = mid3(a, b, c);"
                "data[i + 192u] = uint(min3(int(a), int(b), int(c)));"
                "data[i + 256u] = uint(max3(int(a), int(b), int(c)));"
                "data[i + 320u] = uint(mid3(int(a), int(b), int(c)));"
                "data[i + 384u] = floatBitsToUint(min3(x, y, z).y);"
                "data[i + 448u] = floatBitsToUint(max3(x, y, z).x);"
                "data[i + 512u] = floatBitsToUint(mid3(x, y, z).y);");
  std::vector<uint32_t> before = numbers(576), after = computedWords(shaders, before);
  for (unsigned i = 0; i < 64; ++i) {
    std::array<uint32_t, 3> u = {before[i], before[i + 64], before[i + 128]};
    std::array<int32_t, 3> s = {int32_t(u[0]), int32_t(u[1]), int32_t(u[2])};
    std::ranges::sort(u);
    std::ranges::sort(s);
    CHECK(after[i] == u[0]);
    CHECK(after[i + 64] == u[2]);
    CHECK(after[i + 128] == u[1]);
    CHECK(after[i + 192] == uint32_t(s[0]));
    CHECK(after[i + 256] == uint32_t(s[2]));
    CHECK(after[i + 320] == uint32_t(s[1]));
    CHECK(floatOf(after[i + 384]) == float(s[0]));
    CHECK(floatOf(after[i + 448]) == float(s[2]));
    CHECK(floatOf(after[i + 512]) == float(s[1]));
  }
}

TEST_CASE("the face of a cube that a direction points to, and the place on it") {
  ShaderSet shaders = computeOf("GL_AMD_gcn_shader GL_EXT_shader_explicit_arithmetic_types_int64", "",
                                "vec3 p = vec3(uintBitsToFloat(data[i]), uintBitsToFloat(data[i + 64u]),"
                                "  uintBitsToFloat(data[i + 128u]));"
                                "vec2 st = cubeFaceCoordAMD(p); uint64_t before = timeAMD(), after = timeAMD();"
                                "data[i] = floatBitsToUint(cubeFaceIndexAMD(p)); data[i + 64u] = floatBitsToUint(st.x);"
                                "data[i + 128u] = floatBitsToUint(st.y); data[i + 192u] = uint(after >= before);");
  std::vector<uint32_t> before = floats(256), after = computedWords(shaders, before);
  std::array<unsigned, 6> faces = {};
  for (unsigned i = 0; i < 64; ++i) {
    float x = floatOf(before[i]), y = floatOf(before[i + 64]), z = floatOf(before[i + 128]);
    // Vulkan, "Cube Map Face Selection and Transformations".
    float ax = std::abs(x), ay = std::abs(y), az = std::abs(z), s, t, major;
    unsigned face;
    if (az >= ax && az >= ay)
      face = z < 0 ? 5 : 4, s = z < 0 ? -x : x, t = -y, major = az;
    else if (ay >= ax)
      face = y < 0 ? 3 : 2, s = x, t = y < 0 ? -z : z, major = ay;
    else
      face = x < 0 ? 1 : 0, s = x < 0 ? z : -z, t = -y, major = ax;
    ++faces[face];
    CHECK(floatOf(after[i]) == float(face));
    CHECK(floatOf(after[i + 64]) == doctest::Approx(s / major / 2 + 0.5).epsilon(1e-5));
    CHECK(floatOf(after[i + 128]) == doctest::Approx(t / major / 2 + 0.5).epsilon(1e-5));
    CHECK(after[i + 192] == 1);
  }
  CHECK(std::ranges::all_of(faces, [](unsigned count) { return count > 2; }));
}

TEST_CASE("swizzles among four and 32 lanes, single lanes written, and bits counted below a lane") {
  ShaderSet shaders = computeOf("GL_AMD_shader_ballot GL_EXT_shader_explicit_arithmetic_types_int64", "",
                                "uint a = data[i], b = data[i + 64u]; vec2 f = vec2(uintBitsToFloat(i), 1.0);"
                                "data[i] = swizzleInvocationsAMD(a, uvec4(3, 0, 0, 2));"
                                "data[i + 64u] = swizzleInvocationsMaskedAMD(a, uvec3(0x1c, 1, 0xa));"
                                "data[i + 128u] = writeInvocationAMD(a, 17u, 5u);"
                                "data[i + 192u] = mbcntAMD(uint64_t(b) << 32 | a);"
                                "data[i + 256u] = floatBitsToUint(swizzleInvocationsAMD(f, uvec4(1, 2, 3, 0)).x);");
  std::vector<uint32_t> before = numbers(320), after = computedWords(shaders, before);
  constexpr unsigned quad[] = {3, 0, 0, 2}, next[] = {1, 2, 3, 0};
  for (unsigned i = 0; i < 64; ++i) {
    CHECK(after[i] == before[(i & ~3u) + quad[i & 3]]);
    CHECK(after[i + 64] == before[(i & 32) | ((((i & 31) & 0x1c) | 1) ^ 0xa)]);
    CHECK(after[i + 128] == (i == 5 ? 17 : before[i]));
    uint64_t mask = uint64_t(before[i + 64]) << 32 | before[i];
    CHECK(after[i + 192] == uint32_t(std::popcount(mask & ((uint64_t(1) << i) - 1))));
    CHECK(after[i + 256] == (i & ~3u) + next[i & 3]);
  }
}

TEST_CASE("group operations of AMD's names are those of SPIR-V's, whether or not all lanes reach them together") {
  for (const std::string name : {"NonUniformAMD", "AMD"}) {
    CAPTURE(name);
    // minInvocationsNonUniformAMD() declares the extension.
    ShaderSet shaders = computeOf("GL_AMD_shader_ballot", "",
                                  "uint a = data[i] >> 8; data[i] = addInvocations" + name +
                                      "(a); data[i + 64u] = minInvocationsInclusiveScan" + name +
                                      "(a); data[i + 128u] = uint(maxInvocationsExclusiveScan" + name +
                                      "(int(a))); data[i + 192u] = minInvocations" + name + "(a) + maxInvocations" +
                                      name + "(a) + minInvocationsNonUniformAMD(a);");
    std::vector<uint32_t> before = numbers(256), after = computedWords(shaders, before);
    uint32_t sum = 0, least = ~0u, most = 0, leastSoFar = ~0u;
    int32_t mostSoFar = INT32_MIN;
    for (unsigned i = 0; i < 64; ++i) {
      sum += before[i] >> 8;
      least = std::min(least, before[i] >> 8);
      most = std::max(most, before[i] >> 8);
    }
    for (unsigned i = 0; i < 64; ++i) {
      leastSoFar = std::min(leastSoFar, before[i] >> 8);
      CHECK(after[i] == sum);
      CHECK(after[i + 64] == leastSoFar);
      CHECK(int32_t(after[i + 128]) == mostSoFar);
      CHECK(after[i + 192] == least + most + least);
      mostSoFar = std::max(mostSoFar, int32_t(before[i] >> 8));
    }
  }
}

TEST_CASE("group operations of floats under AMD's names take floats") {
  for (const std::string name : {"NonUniformAMD", "AMD"}) {
    CAPTURE(name);
    ShaderSet shaders = computeOf("GL_AMD_shader_ballot", "",
                                  "float f = float(data[i] >> 24); data[i] = uint(addInvocations" + name +
                                      "(f)); data[i + 64u] = uint(minInvocationsInclusiveScan" + name +
                                      "(f)); data[i + 128u] = uint(maxInvocations" + name +
                                      "(f)); data[i + 192u] = uint(minInvocationsNonUniformAMD(f));");
    std::vector<uint32_t> before = numbers(256), after = computedWords(shaders, before);
    uint32_t sum = 0, least = ~0u, most = 0, leastSoFar = ~0u;
    for (unsigned i = 0; i < 64; ++i) {
      sum += before[i] >> 24;
      least = std::min(least, before[i] >> 24);
      most = std::max(most, before[i] >> 24);
    }
    for (unsigned i = 0; i < 64; ++i) {
      leastSoFar = std::min(leastSoFar, before[i] >> 24);
      CHECK(after[i] == sum);
      CHECK(after[i + 64] == leastSoFar);
      CHECK(after[i + 128] == most);
      CHECK(after[i + 192] == least);
    }
  }
}
