// SPDX-License-Identifier: MIT
//
// Large arrays and structures are represented by memory. They must keep the value that they had when they were loaded.
#include "tests/features/computed_words.h"
#include <doctest/doctest.h>
#include <utility>

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

// A shader in SPIR-V as optimisers write it. %i is the invocation's index, %place points to its word, which is %w. %a
// and %c have %w in element 5, 3 and 5 in element 6; %c has 1 in element 139; all else is zero. %loaded was loaded when
// element 5 of the variable was %w. Now that element is 100; %x5 points to it.
ShaderSet computeOfArrays(const std::string &body) {
  const std::string start = R"(; Version: 1.4
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %index %data
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
%a = OpCompositeInsert %array %three %loaded 6
%b = OpCompositeInsert %array %five %a 6
%c = OpCompositeInsert %array %one %b 139
)";
  return computeOfAssembly(start + body + "OpReturn\nOpFunctionEnd\n");
}

// Stores (((first * 100 + second) * 100 + third) …) to %place.
std::string storeOf(const std::vector<std::string> &values) {
  std::string text, sum = values.front();
  for (size_t i = 1; i < values.size(); ++i) {
    const std::string number = std::to_string(i);
    text += "%moved" + number + " = OpIMul %uint " + sum + " %hundred\n";
    text += "%sum" + number + " = OpIAdd %uint %moved" + number + " " + values[i] + "\n";
    sum = "%sum" + number;
  }
  return text + "OpStore %place " + sum + "\n";
}

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

TEST_CASE("a large array keeps the value that was loaded, and insertions leave the old one as it was") {
  const ShaderSet shaders = computeOfArrays(R"(%before = OpCompositeExtract %uint %loaded 5
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
)");
  const std::vector<uint32_t> after = computedWords(shaders, numbers());
  const std::vector<uint32_t> before = numbers();
  const uint32_t sum = 5 * 5 + (0 + 0 + 1 + 2 + 3);
  for (uint32_t i = 0; i < 64; ++i)
    CHECK(after[i] == (((before[i] + 3 + before[i]) * 100 + 5 + 1) * 100) + sum + 100);
}

// Copies in place would leave other values.
TEST_CASE("large arrays that come round a loop change places, and keep their values of the last iteration behind it") {
  const ShaderSet shaders = computeOfArrays(R"(%last = OpBitwiseAnd %uint %i %five
OpBranch %loop
%loop = OpLabel
%k = OpPhi %uint %zero %start %k1 %again
%p = OpPhi %array %c %start %q %again
%q = OpPhi %array %a %start %changed %again
OpLoopMerge %end %again None
OpBranch %again
%again = OpLabel
%k1 = OpIAdd %uint %k %one
%changed = OpCompositeInsert %array %k1 %p 7
%more = OpULessThan %bool %k %last
OpBranchConditional %more %loop %end
%end = OpLabel
%p6 = OpCompositeExtract %uint %p 6
%p7 = OpCompositeExtract %uint %p 7
%q6 = OpCompositeExtract %uint %q 6
%q7 = OpCompositeExtract %uint %q 7
%c7 = OpCompositeExtract %uint %changed 7
)" + storeOf({"%p6", "%p7", "%q6", "%q7", "%c7"}));
  const std::vector<uint32_t> after = computedWords(shaders, numbers());
  struct Elements {
    uint32_t six, seven;
  };
  for (uint32_t i = 0; i < 64; ++i) {
    Elements p = {5, 0}, q = {3, 0}, changed = {};
    for (uint32_t k = 0;; ++k) {
      changed = {p.six, k + 1};
      if (k >= (i & 5))
        break;
      p = std::exchange(q, changed);
    }
    uint32_t expected = 0;
    for (uint32_t part : {p.six, p.seven, q.six, q.seven, changed.seven})
      expected = expected * 100 + part;
    CHECK(after[i] == expected);
  }
}

TEST_CASE("one of two large arrays is selected, and both stay as they were") {
  const ShaderSet shaders = computeOfArrays(R"(%bit = OpBitwiseAnd %uint %i %one
%is_odd = OpIEqual %bool %bit %one
%either = OpSelect %array %is_odd %a %c
%changed = OpCompositeInsert %array %hundred %either 139
%either6 = OpCompositeExtract %uint %either 6
%either139 = OpCompositeExtract %uint %either 139
%a139 = OpCompositeExtract %uint %a 139
%c139 = OpCompositeExtract %uint %c 139
%changed139 = OpCompositeExtract %uint %changed 139
)" + storeOf({"%either6", "%either139", "%a139", "%c139", "%changed139"}));
  const std::vector<uint32_t> after = computedWords(shaders, numbers());
  for (uint32_t i = 0; i < 64; ++i)
    CHECK(after[i] == (i % 2 ? 3'00'00'01'00u : 5'01'00'01'00u) + 100);
}
