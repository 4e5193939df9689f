// SPDX-License-Identifier: MIT
//
// Translates GLSL and HLSL to SPIR-V with glslang.
#pragma once

#include "src/base/error.h"
#include "src/lgc/state/shader_modes.h"
#include "src/spirv/module/environment.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

// HLSL's entry point is called main. Its registers b, t, s and u become bindings from 0, 128, 256 and 384 on, and
// spaceN becomes set N.
enum class SourceLanguage : uint8_t { Glsl, Hlsl };

struct GlslSource {
  lgc::ShaderStage stage = lgc::ShaderStage::Vertex;
  std::string name; // the name in Errors
  std::string text;
  SourceLanguage language = SourceLanguage::Glsl;
};

struct GlslOptions {
  // For GL shaders: loose uniforms form a default uniform block, and missing locations and bindings are chosen. In
  // shaders that are translated together, inputs and outputs of one name get one location.
  bool relaxed = false;
  std::vector<std::string> defines;        // "NAME" or "NAME=VALUE"
  std::vector<std::string> includeFolders; // where #include looks, after the folder of the including file
  spirv::Environment environment =
      spirv::Environment::Vulkan; // whose GLSL the source is, and whose rules the module follows
  bool sourceLines = false;       // the module gives the source line of each instruction
};

// Translates shaders that are linked with each other; the modules have the order of the sources. Errors: InvalidInput
// with all of glslang's error messages, a line each, "name:line: text".
Result<std::vector<std::vector<uint32_t>>> translateGlsl(const std::vector<GlslSource> &sources,
                                                         const GlslOptions &options = {});

// The stage in a file name's ending, ".vert" to ".comp", also in front of ".glsl" and ".hlsl".
std::optional<lgc::ShaderStage> stageOfFileName(std::string_view path);
// The language in a file name; nothing without a stage or a language in it.
std::optional<SourceLanguage> languageOfFileName(std::string_view path);
// The name without the ending for the language: "light.frag" for "light.frag.hlsl".
std::string_view withoutLanguage(std::string_view path);
// "vert" to "comp".
std::optional<lgc::ShaderStage> stageOfWord(std::string_view word);
std::vector<std::string> stageWords();

// "vertex", "tessellation control", …
std::string_view stageName(lgc::ShaderStage stage);

} // namespace dovetail
