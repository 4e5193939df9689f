// SPDX-License-Identifier: MIT
//
// Arrays and structures that are so large that they are represented by memory have the value that they had when they
// were loaded.
#include "tests/features/computed_words.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

std::vector<uint32_t> numbers() {
  std::vector<uint32_t> words(64);
  for (uint32_t i = 0; i < words.size(); ++i)
    words[i] = i * 2654435761u >> 7;
  return words;
}

std::vector<uint32_t> computed(const std::string &declarations, const std::string &body) {
  return computedWords(computeOf("", declarations, body), numbers());
}

const std::string FillArrays = "uint w = data[i]; uint a[160]; uint b[160];"
                               "for (uint k = 0u; k < 160u; ++k) { a[k] = w + k; b[k] = w * k; }";

} // namespace

TEST_CASE("large arrays are swapped") {
  const std::vector<uint32_t> after =
      computed("", FillArrays + "uint t[160] = a; a = b; b = t; data[i] = a[w % 160u] * 3u + b[(w >> 8) % 160u];");
  const std::vector<uint32_t> before = numbers();
  for (uint32_t i = 0; i < 64; ++i)
    CHECK(after[i] == before[i] * (before[i] % 160) * 3 + before[i] + (before[i] >> 8) % 160);
}

TEST_CASE("large arrays go to functions and come back by value, from several returns") {
  const std::vector<uint32_t> after = computed(
      "uint[160] change(uint v[160], uint k) { if (k % 3u == 0u) return v; v[k % 160u] = k; if (k % 3u == 1u) return v;"
      " v[5] = 7u; return v; }",
      FillArrays + "b = change(change(a, w), w / 3u);"
                   "data[i] = b[w % 160u] + b[5] * 2u + b[(w / 3u) % 160u] * 3u + a[w % 160u] * 4u + a[5] * 5u;");
  const std::vector<uint32_t> before = numbers();
  for (uint32_t i = 0; i < 64; ++i) {
    const uint32_t w = before[i];
    std::vector<uint32_t> a(160);
    for (uint32_t k = 0; k < 160; ++k)
      a[k] = w + k;
    std::vector<uint32_t> b = a;
    for (uint32_t k : {w, w / 3}) {
      if (k % 3 == 0)
        continue;
      b[k % 160] = k;
      if (k % 3 == 2)
        b[5] = 7;
    }
    CHECK(after[i] == b[w % 160] + b[5] * 2 + b[(w / 3) % 160] * 3 + a[w % 160] * 4 + a[5] * 5);
  }
}

TEST_CASE("a large structure is copied from a buffer, changed and copied back") {
  const std::vector<uint32_t> after = computed(
      "struct Inner { uvec3 v; uint w; mat2 m; }; struct S { Inner inner[24]; bool flags[40]; uint last; };"
      "layout(std430, binding = 1) buffer Other { Inner from[24]; Inner to[24]; };",
      "uint w = data[i]; S s; for (int k = 0; k < 24; ++k) s.inner[k] = Inner(uvec3(w, k, w + uint(k)), w ^ uint(k), "
      "mat2(float(k)));"
      "for (int k = 0; k < 40; ++k) s.flags[k] = (w >> (k % 32) & 1u) != 0u; s.last = 9u;"
      "if (i == 0u) { from = s.inner; Inner all[24] = from; all[3].w = 77u; to = all; s.inner = to; }"
      "S t = s; s.inner[2].v.y = 5u; s.flags[w % 40u] = !s.flags[w % 40u];"
      "data[i] = t.inner[2].v.y + t.inner[w % 24u].w * 2u + uint(t.flags[w % 40u]) * 3u + s.inner[2].v.y * 11u +"
      " uint(s.flags[w % 40u]) * 13u + uint(t.inner[7].m[1][1]) + t.inner[3].w * 17u;");
  const std::vector<uint32_t> before = numbers();
  for (uint32_t i = 0; i < 64; ++i) {
    const uint32_t w = before[i];
    auto wOf = [&](uint32_t k) { return i == 0 && k == 3 ? 77 : w ^ k; };
    const uint32_t flag = w >> (w % 40 % 32) & 1;
    CHECK(after[i] == 2 + wOf(w % 24) * 2 + flag * 3 + 5 * 11 + (1 - flag) * 13 + 7 + wOf(3) * 17);
  }
}

// Of SPIR-V that optimisers write: loads that are used behind stores, insertions one behind the other, in a loop too.
TEST_CASE("a large array keeps the value that was loaded, and insertions leave the old one as it was") {
  const std::string text = R"(; Version: 1.3
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %index
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %index BuiltIn LocalInvocationIndex
OpDecorate %words ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 0
%void = OpTypeVoid
%void_fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%bool = OpTypeBool
%n = OpConstant %uint 140
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%three = OpConstant %uint 3
%five = OpConstant %uint 5
%hundred = OpConstant %uint 100
%array = OpTypeArray %uint %n
%null = OpConstantNull %array
%words = OpTypeRuntimeArray %uint
%block = OpTypeStruct %words
%ptr_block = OpTypePointer StorageBuffer %block
%data = OpVariable %ptr_block StorageBuffer
%ptr_word = OpTypePointer StorageBuffer %uint
%ptr_index = OpTypePointer Input %uint
%index = OpVariable %ptr_index Input
%ptr_array = OpTypePointer Function %array
%ptr_uint = OpTypePointer Function %uint
%main = OpFunction %void None %void_fn
%start = OpLabel
%x = OpVariable %ptr_array Function
%i = OpLoad %uint %index
%place = OpAccessChain %ptr_word %data %zero %i
%w = OpLoad %uint %place
OpStore %x %null
%x5 = OpAccessChain %ptr_uint %x %five
OpStore %x5 %w
%loaded = OpLoad %array %x
OpStore %x5 %hundred
%before = OpCompositeExtract %uint %loaded 5
%a = OpCompositeInsert %array %three %loaded 6
%b = OpCompositeInsert %array %five %a 6
%c = OpCompositeInsert %array %one %b 139
%a6 = OpCompositeExtract %uint %a 6
%c5 = OpCompositeExtract %uint %c 5
%c6 = OpCompositeExtract %uint %c 6
%c139 = OpCompositeExtract %uint %c 139
OpBranch %loop
%loop = OpLabel
%k = OpPhi %uint %zero %start %k1 %again
%sum = OpPhi %uint %zero %start %sum1 %again
%kept = OpPhi %array %c %start %changed %again
OpLoopMerge %end %again None
OpBranch %again
%again = OpLabel
%from_c = OpCompositeExtract %uint %c 6
%changed = OpCompositeInsert %array %k %kept 7
%old7 = OpCompositeExtract %uint %kept 7
%added = OpIAdd %uint %from_c %old7
%sum1 = OpIAdd %uint %sum %added
%k1 = OpIAdd %uint %k %one
%more = OpULessThan %bool %k1 %five
OpBranchConditional %more %loop %end
%end = OpLabel
%x_now = OpLoad %uint %x5
%r0 = OpIAdd %uint %before %a6
%r1 = OpIAdd %uint %r0 %c5
%r2 = OpIMul %uint %r1 %hundred
%r3 = OpIAdd %uint %r2 %c6
%r4 = OpIAdd %uint %r3 %c139
%r5 = OpIMul %uint %r4 %hundred
%r6 = OpIAdd %uint %r5 %sum1
%r7 = OpIAdd %uint %r6 %x_now
OpStore %place %r7
OpReturn
OpFunctionEnd
)";
  const std::vector<uint32_t> after = computedWords(computeOfAssembly(text), numbers());
  const std::vector<uint32_t> before = numbers();
  const uint32_t sum = 5 * 5 + (0 + 0 + 1 + 2 + 3);
  for (uint32_t i = 0; i < 64; ++i)
    CHECK(after[i] == (((before[i] + 3 + before[i]) * 100 + 5 + 1) * 100) + sum + 100);
}
