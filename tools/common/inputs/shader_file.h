// SPDX-License-Identifier: MIT
//
// Reads shader files of every kind as SPIR-V.
#pragma once

#include "src/base/error.h"
#include "src/lgc/state/shader_modes.h"
#include "src/spirv/module/specialize.h"
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
  std::string entryPoint; // nearly always "main"
  std::vector<uint32_t> words;
  std::vector<spirv::SpecConstant> specConstants = {}; // from its file
};

// The kind of a source whose name does not tell it: `--stage frag.hlsl`.
struct SourceKind {
  lgc::ShaderStage stage = lgc::ShaderStage::Vertex;
  SourceLanguage language = SourceLanguage::Glsl;
};

// Whether the name ends like a shader file: .spv, .spvasm, GLSL by stage (.vert …), or .shader_test.
bool isShaderFile(std::string_view path);

// Reads GLSL (.vert, .frag, .comp, …), HLSL (.vert.hlsl, …), SPIR-V binaries (.spv) or SPIR-V assembly (.spvasm); "-"
// is the standard input. A file without such an ending is SPIR-V if it begins like SPIR-V, and otherwise source of
// `kind`. A module with several entry points gives one shader for each. Errors: Io; InvalidInput if glslang or the
// SPIR-V assembler refuses it, or if it is no SPIR-V; Unsupported for other languages, with a converter for each.
// SPIR-V binaries are not validated here.
Result<std::vector<ShaderBinary>> readShaderFile(const std::string &path, const GlslOptions &options = {},
                                                 std::optional<SourceKind> kind = std::nullopt);

// The entry points of a SPIR-V module, with the words copied into each. Errors: InvalidInput.
Result<std::vector<ShaderBinary>> splitEntryPoints(const std::string &name, std::vector<uint32_t> words,
                                                   spirv::Environment environment = spirv::Environment::Vulkan);

} // namespace dovetail
