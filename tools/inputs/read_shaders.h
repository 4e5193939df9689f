// SPDX-License-Identifier: MIT
//
// Shader files of all kinds, piglit's tests too, as shaders.
#pragma once

#include "tools/inputs/shader_file.h"
#include "variants/shader.h"

namespace dovetail {

// As readShaderFile(), and .shader_test files, whose shaders are linked with each other. Errors: also Unsupported for a
// .shader_test with stages that are not known.
Result<std::vector<ShaderBinary>> readShaderBinaries(const std::string &path);

// The shaders of several files. Errors: also those of createShader().
Result<std::vector<ShaderRef>> readShaders(const std::vector<std::string> &paths);

} // namespace dovetail
