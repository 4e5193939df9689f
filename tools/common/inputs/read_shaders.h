// SPDX-License-Identifier: MIT
//
// Makes shaders of files of all kinds, piglit's tests included.
#pragma once

#include "tools/common/inputs/shader_file.h"
#include "variants/shader.h"

namespace CLI {
class App;
}

namespace dovetail {

// The options of a command line for all of its shaders.
struct ReadOptions {
  std::vector<std::string> defines, includeFolders; // see GlslOptions
  std::vector<std::string> specConstants;           // see specialize()
  spirv::Environment environment = spirv::Environment::Vulkan;
  std::optional<SourceKind> kind; // for files whose names do not tell their kind, and for the standard input
  unsigned optimizationLevel = 2;
  bool sourceLines = false; // see GlslOptions
  // Passes for the shaders of drawings (spirv_passes.h); the reference draws with the unchanged shaders.
  std::string spirvPasses;
};

// Adds -D, -I, --environment, --stage, --spec and --optimization-level.
void addReadOptions(CLI::App &command, ReadOptions &options);
// Adds --spirv-opt, for drawings.
void addSpirvPassesOption(CLI::App &command, ReadOptions &options);
// Adds -D, -I and --environment.
void addSourceOptions(CLI::App &command, ReadOptions &options);

// Does as readShaderFile(), and also reads .shader_test files, whose shaders are linked with each other. Errors: also
// Unsupported for a .shader_test with unknown stages.
Result<std::vector<ShaderBinary>> readShaderBinaries(const std::string &path, const ReadOptions &options = {});

// Reads the shaders of several files. Errors: InvalidInput has a line for each error in any of the files; also those of
// createShader() and specialize().
Result<std::vector<ShaderRef>> readShaders(const std::vector<std::string> &paths, const ReadOptions &options = {});

} // namespace dovetail
