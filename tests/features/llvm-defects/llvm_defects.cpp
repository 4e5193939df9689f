// SPDX-License-Identifier: MIT
#include "tests/features/llvm-defects/llvm_defects.h"
#include <cstring>

namespace dovetail {

namespace {

constexpr uint32_t LaneCount = 64;

uint32_t mix(uint32_t number) {
  number = (number ^ (number >> 16)) * 0x7feb352du;
  number = (number ^ (number >> 15)) * 0x846ca68bu;
  return number ^ (number >> 16);
}

// A quarter of the numbers is small, a quarter is small and negative.
uint32_t noiseAt(uint32_t index) {
  const uint32_t number = mix(index + 1);
  switch (mix(index + 77777) & 3) {
  case 0:
    return number >> 24;
  case 1:
    return ~(number >> 20);
  default:
    return number;
  }
}

void checkRowsAtLevel(const ShaderSet &shaders, const DefectInputs &inputs, uint32_t rowCount,
                      const Expectation &expected) {
  std::vector<uint32_t> words = inputs.words;
  words.resize(DefectInputs::WordCount + rowCount * LaneCount);
  const std::vector<uint32_t> after = computedWords(shaders, words, [&](Scene &scene) {
    if (scene.buffers.size() < 2)
      return;
    scene.buffers[1].resize(inputs.uniforms.size() * 4);
    std::memcpy(scene.buffers[1].data(), inputs.uniforms.data(), scene.buffers[1].size());
  });
  for (uint32_t row = 0; row < rowCount; ++row) {
    const auto computed = [&](uint32_t lane) { return after[DefectInputs::WordCount + row * LaneCount + lane]; };
    uint32_t lane = 0; // the first one that is wrong
    while (lane + 1 < LaneCount && computed(lane) == expected(lane, row))
      ++lane;
    CAPTURE(row);
    CAPTURE(lane);
    CHECK(computed(lane) == expected(lane, row));
  }
}

// At level 0, selection gets code that the optimisations would have changed.
void checkRows(const ShaderSet &shaders, const DefectInputs &inputs, uint32_t rowCount, const Expectation &expected) {
  for (const unsigned level : {0u, 2u}) {
    CAPTURE(level);
    checkRowsAtLevel(atLevel(level, shaders), inputs, rowCount, expected);
  }
}

} // namespace

DefectInputs noise() {
  DefectInputs inputs;
  for (uint32_t index = 0; index < DefectInputs::WordCount; ++index)
    inputs.words.push_back(noiseAt(index));
  for (uint32_t index = 0; index < DefectInputs::UniformCount; ++index)
    inputs.uniforms.push_back(noiseAt(index + 5000));
  return inputs;
}

void checkDefect(const std::string &extensions, const std::string &declarations, const std::string &body,
                 const DefectInputs &inputs, uint32_t rowCount, const Expectation &expected) {
  const std::string head = "layout(std140, binding = 1) uniform Uniforms { uvec4 u[16]; };\n"
                           "#define r(n) data[256u + 64u * (n) + i]\n";
  checkRows(computeOf(extensions, head + declarations, body), inputs, rowCount, expected);
}

void checkDefectOfAssembly(const std::string &constants, const std::string &body,
                           const std::vector<std::string> &results, const DefectInputs &inputs,
                           const Expectation &expected) {
  std::string rows, rowConstants;
  for (size_t row = 0; row < results.size(); ++row) {
    const std::string number = std::to_string(row);
    rowConstants +=
        "%first" + number + " = OpConstant %uint " + std::to_string(DefectInputs::WordCount + row * LaneCount) + "\n";
    rows += "%index" + number + " = OpIAdd %uint %first" + number + " %i\n";
    rows += "%place" + number + " = OpAccessChain %pointer %data %zero %index" + number + "\n";
    rows += "OpStore %place" + number + " " + results[row] + "\n";
  }
  const std::string text = R"(OpCapability Shader
OpExtension "SPV_KHR_storage_buffer_storage_class"
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %id
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %id BuiltIn LocalInvocationIndex
OpDecorate %words ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %data DescriptorSet 0
OpDecorate %data Binding 0
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%function = OpTypeFunction %void
%words = OpTypeRuntimeArray %uint
%block = OpTypeStruct %words
%block_pointer = OpTypePointer StorageBuffer %block
%pointer = OpTypePointer StorageBuffer %uint
%id_pointer = OpTypePointer Input %uint
%id = OpVariable %id_pointer Input
%data = OpVariable %block_pointer StorageBuffer
%zero = OpConstant %uint 0
)" + constants + rowConstants +
                           R"(%main = OpFunction %void None %function
%start = OpLabel
%i = OpLoad %uint %id
%from = OpAccessChain %pointer %data %zero %i
%bits = OpLoad %uint %from
%x = OpBitcast %float %bits
)" + body + rows + "OpReturn\nOpFunctionEnd\n";
  checkRows(computeOfAssembly(text), inputs, static_cast<uint32_t>(results.size()), expected);
}

} // namespace dovetail
