// SPDX-License-Identifier: MIT
//
// Shader files of all kinds, piglit's tests too, as shaders.
#pragma once

#include "tools/common/inputs/shader_file.h"
#include "variants/shader.h"

namespace CLI {
class App;
}

namespace dovetail {

// As command lines give them for all of their shaders.
struct ReadOptions {
  std::vector<std::string> defines, includeFolders; // see GlslOptions
  std::vector<std::string> specConstants;           // see specialize()
  spirv::Environment environment = spirv::Environment::Vulkan;
  std::optional<SourceKind> kind; // of files whose names do not say it, and of the standard input
  unsigned optimizationLevel = 2;
  bool sourceLines = false; // see GlslOptions
  // Passes that the shaders of drawings go through (spirv_passes.h); the reference draws with them as they are.
  std::string spirvPasses;
};

// -D, -I, --environment, --stage, --spec and --optimization-level.
void addReadOptions(CLI::App &command, ReadOptions &options);
// --spirv-opt, of drawings.
void addSpirvPassesOption(CLI::App &command, ReadOptions &options);
// -D, -I and --environment.
void addSourceOptions(CLI::App &command, ReadOptions &options);

// As readShaderFile(), and .shader_test files, whose shaders are linked with each other. Errors: also Unsupported for a
// .shader_test with stages that are not known.
Result<std::vector<ShaderBinary>> readShaderBinaries(const std::string &path, const ReadOptions &options = {});

// The shaders of several files. Errors: InvalidInput has a line for each thing that is wrong with any of the files;
// also those of createShader() and specialize().
Result<std::vector<ShaderRef>> readShaders(const std::vector<std::string> &paths, const ReadOptions &options = {});

} // namespace dovetail
