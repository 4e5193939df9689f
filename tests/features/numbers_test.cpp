// SPDX-License-Identifier: MIT
//
// Atomics of doubles, and the rounding and the denormals that a shader asks for.
#include "tests/features/computed_words.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

double doubleAt(const std::vector<uint32_t> &words, size_t index) {
  double value;
  std::memcpy(&value, &words[index], sizeof value);
  return value;
}

std::string mode(unsigned capability, unsigned number, unsigned width) {
  return "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], capabilities = [" +
         std::to_string(capability) + "], " + std::to_string(number) + ", " + std::to_string(width) + ");\n";
}

constexpr unsigned Preserve = 4459, Flush = 4460, Even = 4462, Zero = 4463;

} // namespace

TEST_CASE("atomics of doubles in buffers and in shared memory") {
  ShaderSet shaders = computeOf("GL_EXT_shader_atomic_float GL_EXT_shader_atomic_float2",
                                "shared double total, least;"
                                "layout(std430, binding = 0) buffer Doubles { double doubles[]; };",
                                "if (i == 0u) { total = 0.0LF; least = 1e9LF; } barrier();"
                                "double own = double(i) * 0.25LF - 3.0LF;"
                                "atomicAdd(doubles[0], own); atomicMin(doubles[1], own); atomicMax(doubles[2], own);"
                                "atomicAdd(total, own); atomicMin(least, own); barrier();"
                                "if (i == 0u) { doubles[3] = total; doubles[4] = least; }");
  std::vector<uint32_t> after = computedWords(shaders, std::vector<uint32_t>(16));
  const double sum = 63 * 64 / 2 * 0.25 - 3 * 64;
  CHECK(doubleAt(after, 0) == sum);
  CHECK(doubleAt(after, 2) == -3.0);
  CHECK(doubleAt(after, 4) == 63 * 0.25 - 3);
  CHECK(doubleAt(after, 6) == sum);
  CHECK(doubleAt(after, 8) == -3.0);
}

TEST_CASE("numbers of each width are clamped to bounds that are computed") {
  std::vector<uint32_t> words(64);
  words[62] = 5, words[63] = 40;
  for (const char *type : {"float16_t", "float", "double", "int16_t", "int"}) {
    CAPTURE(type);
    const std::string number = type;
    const ShaderSet shaders =
        computeOf("GL_EXT_shader_explicit_arithmetic_types_float16 GL_EXT_shader_explicit_arithmetic_types_int16", "",
                  number + " low = " + number + "(int(data[62])), high = " + number + "(int(data[63])); barrier();" +
                      "data[i] = uint(int(clamp(" + number + "(int(i)), low, high)));");
    const std::vector<uint32_t> after = computedWords(shaders, words);
    for (uint32_t i = 0; i < 64; ++i)
      CHECK(after[i] == std::clamp(i, words[62], words[63]));
  }
}

// glslang keeps one mode of a kind, so the widths come one by one.
TEST_CASE("rounding toward zero and to even, for each width") {
  // 1 + more than half an ulp of each format: up to even, down toward zero.
  const std::string body = "float f = uintBitsToFloat(data[0]); double d = double(f);"
                           "data[1] = floatBitsToUint(f + 1e-7); "
                           "double e = d + 2e-16LF; data[2] = unpackDouble2x32(e).x;"
                           "f16vec2 h = f16vec2(f); h = h + f16vec2(0.0007hf); data[3] = packFloat2x16(h);";
  std::vector<uint32_t> words(64);
  words[0] = std::bit_cast<uint32_t>(1.0f);
  for (unsigned width : {16, 32, 64})
    for (bool isZero : {false, true}) {
      CAPTURE(width);
      CAPTURE(isZero);
      ShaderSet shaders =
          computeOf("GL_EXT_spirv_intrinsics GL_EXT_shader_explicit_arithmetic_types_float16",
                    mode(isZero ? 4468 : 4467, isZero ? Zero : Even, width), "if (i == 0u) {" + body + "}");
      std::vector<uint32_t> after = computedWords(shaders, words);
      if (width == 32)
        CHECK(after[1] == std::bit_cast<uint32_t>(1.0f) + (isZero ? 0 : 1));
      else if (width == 64)
        CHECK(after[2] == (isZero ? 0 : 1));
      else
        CHECK((after[3] & 0xffff) == (isZero ? 0x3c00u : 0x3c01u));
    }
}

TEST_CASE("denormals are kept or flushed as the shader asks, for each width") {
  const std::string body = "float f = uintBitsToFloat(data[0]); data[1] = floatBitsToUint(f * 2.0);"
                           "double d = packDouble2x32(uvec2(data[2], 0u)); uvec2 e = unpackDouble2x32(d * 2.0LF);"
                           "data[3] = e.x; f16vec2 h = unpackFloat2x16(data[4]); data[5] = packFloat2x16(h * 2.0hf);";
  std::vector<uint32_t> words(64);
  words[0] = 3, words[2] = 5, words[4] = 0x00070007;
  for (unsigned width : {16, 32, 64})
    for (bool keeps : {false, true}) {
      CAPTURE(width);
      CAPTURE(keeps);
      ShaderSet shaders =
          computeOf("GL_EXT_spirv_intrinsics GL_EXT_shader_explicit_arithmetic_types_float16",
                    mode(keeps ? 4464 : 4465, keeps ? Preserve : Flush, width), "if (i == 0u) {" + body + "}");
      std::vector<uint32_t> after = computedWords(shaders, words);
      if (width == 32)
        CHECK(after[1] == (keeps ? 6 : 0));
      else if (width == 64)
        CHECK(after[3] == (keeps ? 10 : 0));
      else
        CHECK(after[5] == (keeps ? 0x000e000eu : 0));
    }
}

TEST_CASE("a conversion to a half may ask to be rounded toward zero") {
  const std::string text = R"(OpCapability Shader
OpCapability Float16
OpCapability StorageBuffer16BitAccess
OpExtension "SPV_KHR_16bit_storage"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %id BuiltIn LocalInvocationIndex
OpDecorate %words ArrayStride 4
OpDecorate %halves ArrayStride 2
OpDecorate %block Block
OpDecorate %half_block Block
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %half_block 0 Offset 0
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 0
OpDecorate %data Aliased
OpDecorate %half_data DescriptorSet 0
OpDecorate %half_data Binding 0
OpDecorate %half_data Aliased
OpDecorate %down FPRoundingMode RTZ
OpDecorate %near FPRoundingMode RTE
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%half = OpTypeFloat 16
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%words = OpTypeRuntimeArray %uint
%halves = OpTypeRuntimeArray %half
%block = OpTypeStruct %words
%half_block = OpTypeStruct %halves
%ptr_block = OpTypePointer StorageBuffer %block
%ptr_half_block = OpTypePointer StorageBuffer %half_block
%data = OpVariable %ptr_block StorageBuffer
%half_data = OpVariable %ptr_half_block StorageBuffer
%ptr_id = OpTypePointer Input %uint
%id = OpVariable %ptr_id Input
%ptr = OpTypePointer StorageBuffer %uint
%ptr_half = OpTypePointer StorageBuffer %half
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
%i = OpLoad %uint %id
%place = OpAccessChain %ptr %data %zero %i
%word = OpLoad %uint %place
%f = OpBitcast %float %word
%down = OpFConvert %half %f
%near = OpFConvert %half %f
%twice = OpIAdd %uint %i %i
%next = OpIAdd %uint %twice %one
%low = OpAccessChain %ptr_half %half_data %zero %twice
%high = OpAccessChain %ptr_half %half_data %zero %next
OpStore %low %down
OpStore %high %near
OpReturn
OpFunctionEnd
)";
  std::vector<uint32_t> words(64);
  for (unsigned k = 0; k < 64; ++k)
    words[k] = std::bit_cast<uint32_t>((k % 2 ? -1.0f : 1.0f) * (1.0f + float(k) / 4096.0f));
  std::vector<uint32_t> after = computedWords(computeOfAssembly(text), words);
  for (unsigned k = 0; k < 64; ++k) {
    // The ulp is 1/1024, so a quarter of k remains of the fraction.
    uint32_t sign = k % 2 ? 0x8000 : 0, down = 0x3c00 + k / 4, up = down + 1;
    uint32_t near = k % 4 < 2 ? down : k % 4 > 2 ? up : down % 2 == 0 ? down : up;
    CHECK((after[k] & 0xffff) == (sign | down));
    CHECK((after[k] >> 16) == (sign | near));
  }
}

TEST_CASE("denormals of halves are kept in products and sums of floats, if the shader says so") {
  // DenormPreserve 16
  const ShaderSet shaders = computeOf(
      "GL_EXT_shader_explicit_arithmetic_types GL_EXT_spirv_intrinsics",
      "spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], capabilities = [4464], 4459, 16);\n",
      "float16_t small = uint16BitsToFloat16(uint16_t(data[i])), none = uint16BitsToFloat16(uint16_t(data[64u + i]));\n"
      "float one = uintBitsToFloat(data[128u + i]);\n"
      "data[192u + i] = uint(float16BitsToUint16(float16_t(float(small) * one + float(none))));");
  std::vector<uint32_t> words(256);
  for (unsigned i = 0; i < 64; ++i)
    words[i] = 16 + i, words[128 + i] = 0x3f800000;
  const std::vector<uint32_t> results = computedWords(shaders, words);
  for (unsigned i = 0; i < 64; ++i)
    CHECK(results[192 + i] == 16 + i);
}
