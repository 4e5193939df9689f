// SPDX-License-Identifier: MIT
//
// Shared memory with an explicit layout, whose blocks alias each other, and shared memory that begins as zeros.
#include "tests/features/computed_words.h"
#include <algorithm>
#include <bit>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

std::vector<uint32_t> counted(size_t count) {
  std::vector<uint32_t> words(count);
  for (size_t k = 0; k < count; ++k)
    words[k] = uint32_t(k * 2654435761u);
  return words;
}

const std::string Zeroed = "GL_EXT_null_initializer";

} // namespace

TEST_CASE("blocks in shared memory see each other's bytes") {
  ShaderSet shaders = computeOf(
      "GL_EXT_shared_memory_block GL_EXT_shader_explicit_arithmetic_types_int8 "
      "GL_EXT_shader_explicit_arithmetic_types_int16",
      "shared Words { uint words[64]; }; shared Halves { uint16_t halves[128]; };"
      "shared Bytes { uint8_t bytes[256]; };",
      "words[i] = data[i]; barrier();"
      "uint own = uint(halves[2u * i + 1u]) | uint(bytes[4u * i]) << 24 | uint(bytes[4u * i + 1u]) << 16;"
      "barrier(); bytes[4u * i + 2u] = uint8_t(i); barrier(); data[i] = own; data[i + 64u] = words[63u - i];");
  std::vector<uint32_t> before = counted(128), after = computedWords(shaders, before);
  for (unsigned i = 0; i < 64; ++i) {
    CHECK(after[i] == (before[i] >> 16 | before[i] << 24 | (before[i] >> 8 & 0xff) << 16));
    CHECK(after[i + 64] == ((before[63 - i] & 0xff00ffff) | (63 - i) << 16));
  }
}

TEST_CASE("matrices, structures and atomics in a shared block have its layout") {
  ShaderSet shaders =
      computeOf("GL_EXT_shared_memory_block",
                "struct Pair { uint count; vec2 v; };"
                "shared Laid { layout(row_major) mat2x3 m; Pair pairs[4]; } laid; shared Words { uint words[32]; };",
                "if (i == 0u) { laid.m = mat2x3(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);"
                "  for (int k = 0; k < 4; ++k) { laid.pairs[k].count = 0u; laid.pairs[k].v = vec2(k, 7.0); } }"
                "barrier(); atomicAdd(laid.pairs[i & 3u].count, i); barrier();"
                "if (i < 32u) data[i] = words[i];");
  std::vector<uint32_t> after = computedWords(shaders, counted(64));
  // std430: rows of two floats, eight bytes apart, then structures of 16 bytes from byte 24 on, aligned to 8.
  const float rows[] = {1, 4, 2, 5, 3, 6};
  for (unsigned k = 0; k < 6; ++k)
    CHECK(std::bit_cast<float>(after[k]) == rows[k]);
  for (unsigned k = 0; k < 4; ++k) {
    uint32_t sum = 0;
    for (unsigned lane = k; lane < 64; lane += 4)
      sum += lane;
    CHECK(after[6 + 4 * k] == sum);
    CHECK(std::bit_cast<float>(after[6 + 4 * k + 2]) == float(k));
    CHECK(std::bit_cast<float>(after[6 + 4 * k + 3]) == 7.0f);
  }
}

TEST_CASE("shared memory that has a null initializer begins as zeros") {
  // More dwords than invocations, a size that is no whole number of dwords, and a bool.
  ShaderSet shaders = computeOf(Zeroed + " GL_EXT_shader_explicit_arithmetic_types_int8",
                                "shared uint many[200] = {}; shared uint8_t few[3] = {}; shared bool flag = {};"
                                "shared uint other[3];",
                                "if (i < 3u) other[i] = i + 5u; barrier(); uint sum = flag ? 1u : 0u;"
                                "for (uint k = i; k < 200u; k += 64u) sum += many[k];"
                                "data[i] = sum + uint(few[i % 3u]) + other[i % 3u]; barrier(); many[i] = data[i];");
  std::vector<uint32_t> after = computedWords(shaders, counted(64));
  for (unsigned i = 0; i < 64; ++i)
    CHECK(after[i] == i % 3 + 5);
}

TEST_CASE("a shared block may begin as zeros, too") {
  const std::string text = R"(OpCapability Shader
OpCapability WorkgroupMemoryExplicitLayoutKHR
OpExtension "SPV_KHR_workgroup_memory_explicit_layout"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id %data %shared
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %id BuiltIn LocalInvocationIndex
OpDecorate %words ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %numbers ArrayStride 4
OpDecorate %laid Block
OpMemberDecorate %laid 0 Offset 8
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 0
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%count = OpConstant %uint 120
%words = OpTypeRuntimeArray %uint
%block = OpTypeStruct %words
%ptr_block = OpTypePointer StorageBuffer %block
%data = OpVariable %ptr_block StorageBuffer
%numbers = OpTypeArray %uint %count
%laid = OpTypeStruct %numbers
%nothing = OpConstantNull %laid
%ptr_laid = OpTypePointer Workgroup %laid
%shared = OpVariable %ptr_laid Workgroup %nothing
%ptr_id = OpTypePointer Input %uint
%id = OpVariable %ptr_id Input
%ptr = OpTypePointer StorageBuffer %uint
%ptr_number = OpTypePointer Workgroup %uint
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
%i = OpLoad %uint %id
%twice = OpIAdd %uint %i %one
%from = OpAccessChain %ptr_number %shared %zero %twice
%value = OpLoad %uint %from
%to = OpAccessChain %ptr %data %zero %i
OpStore %to %value
OpStore %from %i
OpReturn
OpFunctionEnd
)";
  std::vector<uint32_t> after = computedWords(computeOfAssembly("; SPIR-V\n; Version: 1.4\n" + text), counted(64));
  CHECK(std::ranges::all_of(after, [](uint32_t word) { return word == 0; }));
}
