// SPDX-License-Identifier: MIT
#include "tests/spirv/listing.h"
#include "tools/common/inputs/spirv/vary_undefined.h"
#include <doctest/doctest.h>
#include <spirv-tools/libspirv.hpp>

using namespace dovetail;
using namespace dovetail::test;

namespace {

std::string varied(const std::vector<uint32_t> &words, uint32_t seed = 1) {
  return validListing(varyUndefined(words, seed));
}

std::vector<uint32_t> assemble(const std::string &text) {
  std::vector<uint32_t> words;
  REQUIRE(spvtools::SpirvTools(SPV_ENV_VULKAN_1_3).Assemble(text, &words));
  return words;
}

} // namespace

TEST_CASE("variables that hold nothing get values, which a seed decides") {
  const auto words =
      fragmentWords("layout(location = 0) out vec4 c; struct S { vec3 v[2]; bool b; mat2 m; uint u; };"
                    "S global; void main() { S local; float f; "
                    "c = vec4(global.v[0] + local.v[1], global.b ? f : local.m[0][0]); c.x += local.u; }");
  const std::string first = varied(words, 1);
  CHECK(first.find("OpVariable %7 Output %") == std::string::npos); // written outputs get values, too
  CHECK(first.find("OpConstantComposite") != std::string::npos);
  CHECK(first != varied(words, 2));
}

TEST_CASE("an integer that holds nothing is 0 in some variations and 1 in others, also the first one") {
  const auto words = fragmentWords("layout(location = 0) out uint c; void main() { uint u; c = u; }");
  size_t zeros = 0, ones = 0;
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    const std::string listing = varied(words, seed);
    const size_t constant = listing.find("OpConstant %");
    REQUIRE(constant != std::string::npos);
    const std::string line = listing.substr(constant, listing.find('\n', constant) - constant);
    zeros += line.ends_with(" 0");
    ones += line.ends_with(" 1");
  }
  CHECK(zeros + ones == 12);
  CHECK(zeros >= 3);
  CHECK(ones >= 3);
}

TEST_CASE("an index beyond its array, vector or matrix becomes one that is not") {
  const auto words = fragmentWords("layout(location = 0) flat in int i; layout(location = 0) out vec4 c; void main() {"
                                   "float a[3] = float[](1, 2, 3); c = vec4(a[i]); c[i] = 2; mat3 m = mat3(1);"
                                   "c.xyz += m[i]; }");
  const std::string listing = varied(words);
  CHECK(countOf(listing, "OpSelect") == 3);
}

TEST_CASE("a sample that an image may not have becomes one that it has") {
  const auto words = fragmentWords("layout(binding = 0) uniform sampler2DMS t; layout(location = 0) out vec4 c;"
                                   "void main() { c = texelFetch(t, ivec2(0), 6); }");
  bool isFar = false;
  for (uint32_t seed = 1; seed <= 8; ++seed) {
    const std::string listing = varied(words, seed);
    CHECK(listing.find("OpBitwiseAnd") != std::string::npos);
    isFar |= listing.find("OpIAdd") != std::string::npos;
  }
  CHECK(isFar);
}

TEST_CASE("OpUndef becomes a constant") {
  const auto words = assemble(R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %out
OpExecutionMode %main OriginUpperLeft
OpDecorate %out Location 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%v4 = OpTypeVector %float 4
%ptr = OpTypePointer Output %v4
%global = OpUndef %v4
%out = OpVariable %ptr Output
%main = OpFunction %void None %fn
%entry = OpLabel
%local = OpUndef %v4
%sum = OpFAdd %v4 %global %local
OpStore %out %sum
OpReturn
OpFunctionEnd
)");
  CHECK(varied(words).find("OpUndef") == std::string::npos);
}

TEST_CASE("a component that a shuffle takes from nowhere becomes one of its vectors'") {
  const auto words = assemble(R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %in
OpExecutionMode %main OriginUpperLeft
OpDecorate %in Location 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%v2 = OpTypeVector %float 2
%v3 = OpTypeVector %float 3
%ptr = OpTypePointer Input %v2
%in = OpVariable %ptr Input
%main = OpFunction %void None %fn
%entry = OpLabel
%pair = OpLoad %v2 %in
%three = OpVectorShuffle %v3 %pair %pair 3 0xFFFFFFFF 1
OpReturn
OpFunctionEnd
)");
  REQUIRE(varied(words).find("OpVectorShuffle") != std::string::npos);
  CHECK(varied(words).find("4294967295") == std::string::npos);
  CHECK(countOf(varied(words), " 3 ") == 1); // the others stay
}

TEST_CASE("a shader without anything undefined but its output's first value only gets that") {
  const auto words = fragmentWords("layout(location = 0) in vec4 v; layout(location = 0) out vec4 c;"
                                   "void main() { const float a[2] = float[](1, 2); c = v * a[1]; }");
  const std::string listing = varied(words);
  CHECK(listing.find("OpSelect") == std::string::npos);
}

TEST_CASE("integers divided by zero, and remainders of negative ones, become others") {
  const auto words = fragmentWords("layout(location = 0) flat in ivec2 i; layout(location = 1) flat in uvec3 u;"
                                   "layout(location = 0) out uvec3 c; void main() {"
                                   "c = u / u.yzx + uvec3(i.x / i.y, i.x % i.y, u.x % u.y); }");
  const std::string listing = varied(words);
  CHECK(countOf(listing, "OpSelect") == 4);
  CHECK(countOf(listing, "OpIEqual") == 4);
  CHECK(countOf(listing, "OpSLessThan") == 2);
}

TEST_CASE("a shift by as many bits as there are, or more, gives something else; others stay") {
  const auto words =
      fragmentWords("layout(location = 0) out uvec4 c; layout(binding = 0) uniform U { uint a; uvec2 b; int s; };"
                    "void main() { c = uvec4(a << s, b >> b, a >> 3); }");
  const std::string listing = varied(words);
  CHECK(countOf(listing, "OpUGreaterThanEqual") == 2);
  CHECK(countOf(listing, "OpSelect") == 2);
}

TEST_CASE("a clamp with the minimum above the maximum gives something else, for each kind of number") {
  const auto words =
      fragmentWords("layout(location = 0) out vec4 c; layout(binding = 0) uniform U { vec2 f; int s; uint u; };"
                    "void main() { c = vec4(clamp(f, f.yx, f.xy), clamp(s, 1, s), clamp(u, u, 2u)); }");
  const std::string listing = varied(words);
  CHECK(countOf(listing, "OpFOrdGreaterThan") == 1);
  CHECK(countOf(listing, "OpSGreaterThan") == 1);
  CHECK(countOf(listing, "OpUGreaterThan") == 1);
  CHECK(countOf(listing, "OpSelect") == 3);
  CHECK(varied(words, 2) != listing);
}

TEST_CASE("a shader that leaves nothing undefined stays as it is") {
  const auto words = assemble(R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main"
               OpExecutionMode %main LocalSize 1 1 1
       %void = OpTypeVoid
   %function = OpTypeFunction %void
       %uint = OpTypeInt 32 0
      %three = OpConstant %uint 3
       %main = OpFunction %void None %function
      %label = OpLabel
    %shifted = OpShiftLeftLogical %uint %three %three
               OpReturn
               OpFunctionEnd
  )");
  CHECK(varyUndefined(words, 1) == words);
}
