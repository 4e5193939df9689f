// SPDX-License-Identifier: MIT
//
// Small shaders in SPIR-V assembly, for tests that compile main parts.
#pragma once

#include "parts/kinds/main_part.h"
#include <doctest/doctest.h>
#include <spirv-tools/libspirv.hpp>
#include <string>
#include <vector>

namespace dovetail::modules {

// in vec4 at location 0 -> gl_Position; in vec4 at location 1, of which xy -> out vec2 at location 0.
inline constexpr char Vertex[] = R"(
  OpCapability Shader
  OpMemoryModel Logical GLSL450
  OpEntryPoint Vertex %main "main" %position %texcoord %gl_Position %uv
  OpDecorate %position Location 0
  OpDecorate %texcoord Location 1
  OpDecorate %gl_Position BuiltIn Position
  OpDecorate %uv Location 0
  %void = OpTypeVoid
  %signature = OpTypeFunction %void
  %float = OpTypeFloat 32
  %vec2 = OpTypeVector %float 2
  %vec4 = OpTypeVector %float 4
  %in_vec4 = OpTypePointer Input %vec4
  %out_vec4 = OpTypePointer Output %vec4
  %out_vec2 = OpTypePointer Output %vec2
  %position = OpVariable %in_vec4 Input
  %texcoord = OpVariable %in_vec4 Input
  %gl_Position = OpVariable %out_vec4 Output
  %uv = OpVariable %out_vec2 Output
  %main = OpFunction %void None %signature
  %entry = OpLabel
  %p = OpLoad %vec4 %position
  OpStore %gl_Position %p
  %t = OpLoad %vec4 %texcoord
  %xy = OpVectorShuffle %vec2 %t %t 0 1
  OpStore %uv %xy
  OpReturn
  OpFunctionEnd
)";

// in vec2 at location 0 -> out vec4(uv, scale, 1) at location 0; scale is specialisation constant 3, 0.5 by default.
inline constexpr char Fragment[] = R"(
  OpCapability Shader
  OpMemoryModel Logical GLSL450
  OpEntryPoint Fragment %main "main" %uv %color
  OpExecutionMode %main OriginUpperLeft
  OpDecorate %uv Location 0
  OpDecorate %color Location 0
  OpDecorate %scale SpecId 3
  %void = OpTypeVoid
  %signature = OpTypeFunction %void
  %float = OpTypeFloat 32
  %vec2 = OpTypeVector %float 2
  %vec4 = OpTypeVector %float 4
  %in_vec2 = OpTypePointer Input %vec2
  %out_vec4 = OpTypePointer Output %vec4
  %uv = OpVariable %in_vec2 Input
  %color = OpVariable %out_vec4 Output
  %scale = OpSpecConstant %float 0.5
  %one = OpConstant %float 1
  %main = OpFunction %void None %signature
  %entry = OpLabel
  %t = OpLoad %vec2 %uv
  %u = OpCompositeExtract %float %t 0
  %v = OpCompositeExtract %float %t 1
  %c = OpCompositeConstruct %vec4 %u %v %scale %one
  OpStore %color %c
  OpReturn
  OpFunctionEnd
)";

// Writes nothing and reads nothing.
inline constexpr char Compute[] = R"(
  OpCapability Shader
  OpMemoryModel Logical GLSL450
  OpEntryPoint GLCompute %main "main"
  OpExecutionMode %main LocalSize 64 1 1
  %void = OpTypeVoid
  %signature = OpTypeFunction %void
  %main = OpFunction %void None %signature
  %entry = OpLabel
  OpReturn
  OpFunctionEnd
)";

inline std::vector<uint32_t> assemble(const std::string &text) {
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_0);
  std::string messages;
  tools.SetMessageConsumer([&](spv_message_level_t, const char *, const spv_position_t &position, const char *message) {
    messages += std::to_string(position.line) + ": " + message + "\n";
  });
  std::vector<uint32_t> words;
  if (!tools.Assemble(text, &words))
    FAIL(messages);
  return words;
}

// `words` must outlive it.
inline ShaderSource sourceOf(const std::vector<uint32_t> &words, lgc::ShaderStage stage,
                             std::string_view gpuName = "gfx900") {
  ShaderSource source;
  source.name = "test";
  source.words = words;
  source.key.gpuName = gpuName;
  source.key.stage = stage;
  source.key.hardwareStage = mainHardwareStage(stage);
  source.key.words = hashBytes(std::as_bytes(std::span(words)));
  return source;
}

} // namespace dovetail::modules
