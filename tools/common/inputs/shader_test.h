// SPDX-License-Identifier: MIT
//
// piglit's .shader_test files: GLSL of many versions in one file, rewritten to what Vulkan's GLSL understands; some
// have the same as SPIR-V for OpenGL beside it, as assembly.
#pragma once

#include "src/spirv/module/environment.h"
#include "src/spirv/module/spec_constant.h"
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

// The shaders of a .shader_test file, each stage once: in OpenGL's environment as assembly where the file has that,
// else as GLSL. Errors: Unsupported for ARB programs and layouts in sections of their own; InvalidInput if the file has
// no shader for this environment, or a specialisation that is none.
Result<ShaderTest> readShaderTest(const std::string &path, spirv::Environment environment = spirv::Environment::Vulkan);

// The stages that the file has shaders of, without reading it. Errors: Io.
Result<std::set<lgc::ShaderStage>> stagesOfShaderTest(const std::string &path);

// The same as readShaderTest() from the file's text.
Result<ShaderTest> parseShaderTest(const std::string &name, std::string_view text,
                                   spirv::Environment environment = spirv::Environment::Vulkan);

// Rewrites GLSL 1.10 … 4.60 and ES for GL to GLSL 4.50 for Vulkan with relaxed rules: the version, old keywords
// (attribute, varying, texture2D), and built-ins that Vulkan does not have, which become ordinary inputs, outputs and
// uniforms.
std::string modernizeGlsl(lgc::ShaderStage stage, std::string_view text);

} // namespace dovetail
