// SPDX-License-Identifier: MIT
//
// GLSL and HLSL to SPIR-V with glslang.
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

// HLSL has an entry point that is called main. Its registers b, t, s and u are bindings from 0, 128, 256 and 384 on,
// and spaceN is set N.
enum class SourceLanguage : uint8_t { Glsl, Hlsl };

struct GlslSource {
  lgc::ShaderStage stage = lgc::ShaderStage::Vertex;
  std::string name; // what Errors call it
  std::string text;
  SourceLanguage language = SourceLanguage::Glsl;
};

struct GlslOptions {
  // GL shaders: a default uniform block is made of loose uniforms, and locations and bindings that are missing are
  // chosen. Inputs and outputs of shaders that are translated together get the same location by name.
  bool relaxed = false;
  std::vector<std::string> defines;        // "NAME" or "NAME=VALUE"
  std::vector<std::string> includeFolders; // where #include looks, after the folder of the file that includes
  spirv::Environment environment = spirv::Environment::Vulkan; // whose GLSL it is, and which rules the module follows
  bool sourceLines = false; // the module says for each instruction which line it comes from
};

// The SPIR-V modules of shaders that are linked with each other, in the order of the sources. Errors: InvalidInput with
// all of glslang's error messages, a line each, "name:line: text".
Result<std::vector<std::vector<uint32_t>>> translateGlsl(const std::vector<GlslSource> &sources,
                                                         const GlslOptions &options = {});

// The stage that a file name's ending says, ".vert" to ".comp", also in front of ".glsl" and ".hlsl".
std::optional<lgc::ShaderStage> stageOfFileName(std::string_view path);
// The language that it says; none without a stage or a language in it.
std::optional<SourceLanguage> languageOfFileName(std::string_view path);
// The name without what says the language: "light.frag" for "light.frag.hlsl".
std::string_view withoutLanguage(std::string_view path);
// "vert" to "comp".
std::optional<lgc::ShaderStage> stageOfWord(std::string_view word);
std::vector<std::string> stageWords();

// "vertex", "tessellation control", …
std::string_view stageName(lgc::ShaderStage stage);

} // namespace dovetail
