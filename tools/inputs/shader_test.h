// SPDX-License-Identifier: MIT
//
// piglit's .shader_test files: GLSL of many versions in one file, rewritten to what Vulkan's GLSL understands.
#pragma once

#include "tools/inputs/glsl.h"
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

// The shaders of a .shader_test file, rewritten; translateGlsl() takes them with GlslOptions::relaxed. Errors:
// Unsupported for ARB programs and layouts in sections of their own; InvalidInput if the file has no GLSL.
Result<std::vector<GlslSource>> readShaderTest(const std::string &path);

// The stages that the file has GLSL of, without reading it. Errors: Io.
Result<std::set<lgc::ShaderStage>> stagesOfShaderTest(const std::string &path);

// The same as readShaderTest() from the file's text.
Result<std::vector<GlslSource>> parseShaderTest(const std::string &name, std::string_view text);

// Rewrites GLSL 1.10 … 4.60 and ES for GL to GLSL 4.50 for Vulkan with relaxed rules: the version, old keywords
// (attribute, varying, texture2D), and built-ins that Vulkan does not have, which become ordinary inputs, outputs and
// uniforms.
std::string modernizeGlsl(lgc::ShaderStage stage, std::string_view text);

} // namespace dovetail
