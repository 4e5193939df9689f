// SPDX-License-Identifier: MIT
//
// Shader files of every kind, as SPIR-V.
#pragma once

#include "src/base/error.h"
#include "src/lgc/state/shader_modes.h"
#include "src/spirv/module/spec_constant.h"
#include "tools/common/inputs/glsl.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

// One shader of one stage.
struct ShaderBinary {
  lgc::ShaderStage stage = lgc::ShaderStage::Vertex;
  std::string name;       // the file's, for Errors and reports
  std::string entryPoint; // "main" in almost all of them
  std::vector<uint32_t> words;
  std::vector<spirv::SpecConstant> specConstants = {}; // that its file gives
};

// What a name does not say: `--stage frag.hlsl`.
struct SourceKind {
  lgc::ShaderStage stage = lgc::ShaderStage::Vertex;
  SourceLanguage language = SourceLanguage::Glsl;
};

// Whether the name ends like a shader file: .spv, .spvasm, GLSL by stage (.vert …), or .shader_test.
bool isShaderFile(std::string_view path);

// Reads GLSL (.vert, .frag, .comp, …), HLSL (.vert.hlsl, …), SPIR-V binaries (.spv) or SPIR-V assembly (.spvasm); "-"
// is the standard input. What has no such ending is SPIR-V if it begins like it, and otherwise source of this kind. A
// module with several entry points gives one shader for each. Errors: Io; InvalidInput when glslang or the SPIR-V
// assembler refuses it or it is no SPIR-V at all; Unsupported for other languages, with what converts them. What a
// SPIR-V binary holds is not validated here.
Result<std::vector<ShaderBinary>> readShaderFile(const std::string &path, const GlslOptions &options = {},
                                                 std::optional<SourceKind> kind = std::nullopt);

// The entry points of a SPIR-V module, with the words copied into each. Errors: InvalidInput.
Result<std::vector<ShaderBinary>> splitEntryPoints(const std::string &name, std::vector<uint32_t> words,
                                                   spirv::Environment environment = spirv::Environment::Vulkan);

} // namespace dovetail
