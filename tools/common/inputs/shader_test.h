// SPDX-License-Identifier: MIT
//
// Reads piglit's .shader_test files: GLSL of many versions in one file, rewritten to Vulkan's GLSL. Some files have the
// same shaders as SPIR-V assembly for OpenGL beside it.
#pragma once

#include "src/spirv/module/environment.h"
#include "src/spirv/module/specialize.h"
#include "tools/common/inputs/glsl.h"
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

struct AssemblySource {
  lgc::ShaderStage stage = lgc::ShaderStage::Vertex;
  std::string name, text;
  std::vector<spirv::SpecConstant> specConstants;
};

struct ShaderTest {
  std::vector<GlslSource> glsl; // rewritten; translateGlsl() takes it with GlslOptions::relaxed
  std::vector<AssemblySource> assembly;
};

// The shaders of a .shader_test file, each stage once. In OpenGL's environment, takes assembly where the file has it,
// else GLSL. Errors: Unsupported for ARB programs and layouts in sections of their own; InvalidInput if the file has no
// shader for this environment, or a malformed specialisation.
Result<ShaderTest> readShaderTest(const std::string &path, spirv::Environment environment = spirv::Environment::Vulkan);

// The stages of which the file has shaders, without reading the shaders. Errors: Io.
Result<std::set<lgc::ShaderStage>> stagesOfShaderTest(const std::string &path);

// Does the same from the file's text.
Result<ShaderTest> parseShaderTest(const std::string &name, std::string_view text,
                                   spirv::Environment environment = spirv::Environment::Vulkan);

// Rewrites GL's GLSL 1.10 … 4.60 and ES to Vulkan's GLSL 4.50 with relaxed rules: the version, old keywords (attribute,
// varying, texture2D), and built-ins that Vulkan lacks, which become ordinary inputs, outputs and uniforms.
std::string modernizeGlsl(lgc::ShaderStage stage, std::string_view text);

} // namespace dovetail
