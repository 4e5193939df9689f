// SPDX-License-Identifier: MIT
#include "tools/common/inputs/read_shaders.h"
#include "tools/common/command/options.h"
#include "tools/common/inputs/glsl.h"
#include "tools/common/inputs/shader_test.h"
#include "tools/common/inputs/spirv/spec_constants.h"
#include "tools/common/inputs/spirv/spirv_assembly.h"
#include <algorithm>
#include <iterator>
#include <map>
#include <regex>

namespace dovetail {

namespace {

GlslOptions glslOptions(const ReadOptions &options, bool relaxed) {
  return {.relaxed = relaxed,
          .defines = options.defines,
          .includeFolders = options.includeFolders,
          .environment = options.environment,
          .sourceLines = options.sourceLines};
}

Result<std::vector<ShaderBinary>> readShaderTestBinaries(const std::string &path, const ReadOptions &options) {
  ShaderTest test = DOVETAIL_TRY(readShaderTest(path, options.environment));
  auto modules = DOVETAIL_TRY(translateGlsl(test.glsl, glslOptions(options, true)));
  std::vector<ShaderBinary> binaries;
  for (size_t index = 0; index < test.glsl.size(); ++index)
    binaries.push_back({test.glsl[index].stage, test.glsl[index].name, "main", std::move(modules[index])});
  for (AssemblySource &source : test.assembly)
    binaries.push_back({source.stage, source.name, "main",
                        DOVETAIL_TRY(assembleSpirv(source.name, source.text, options.environment)),
                        std::move(source.specConstants)});
  return binaries;
}

const std::map<std::string, spirv::Environment> EnvironmentNames = {{"vulkan", spirv::Environment::Vulkan},
                                                                    {"opengl", spirv::Environment::OpenGl}};

// Reports the errors of all files, because a user wants to see them together.
Result<std::vector<ShaderBinary>> readAllBinaries(const std::vector<std::string> &paths, const ReadOptions &options) {
  std::vector<ShaderBinary> binaries;
  std::string complaints;
  for (const std::string &path : paths) {
    Result<std::vector<ShaderBinary>> read = readShaderBinaries(path, options);
    if (read)
      std::ranges::move(*read, std::back_inserter(binaries));
    else if (read.error().code == ErrorCode::InvalidInput)
      complaints += (complaints.empty() ? "" : "\n") + read.error().text;
    else
      return tl::unexpected(read.error());
  }
  if (!complaints.empty())
    return makeError(ErrorCode::InvalidInput, "{}", complaints);
  return binaries;
}

CLI::Validator macroDefinition() {
  return CLI::Validator(
      [](std::string &text) {
        static const std::regex definition("[A-Za-z_][A-Za-z0-9_]*(\\([^)\n]*\\))?(=[^\n]*)?");
        return std::regex_match(text, definition) ? std::string() : "\"" + text + "\" is neither NAME nor NAME=VALUE";
      },
      "");
}

// The option may be given several times, each with one value.
CLI::Option *addList(CLI::App &command, const std::string &name, std::vector<std::string> &values,
                     const std::string &description) {
  return command.add_option(name, values, description)->allow_extra_args(false);
}

// "vert" to "comp", for GLSL and for HLSL.
std::map<std::string, SourceKind> sourceKinds() {
  std::map<std::string, SourceKind> kinds;
  for (const std::string &word : stageWords()) {
    const lgc::ShaderStage stage = *stageOfWord(word);
    kinds[word] = {stage, SourceLanguage::Glsl};
    kinds[word + ".hlsl"] = {stage, SourceLanguage::Hlsl};
  }
  return kinds;
}

} // namespace

void addSourceOptions(CLI::App &command, ReadOptions &options) {
  addList(command, "-D,--define", options.defines, "define a macro for GLSL and HLSL: NAME or NAME=VALUE")
      ->check(macroDefinition());
  addList(command, "-I,--include", options.includeFolders,
          "folder in which #include looks, after the including file's own")
      ->check(CLI::ExistingDirectory);
  addChoice<spirv::Environment>(
      command, "--environment", EnvironmentNames,
      [&options](spirv::Environment environment) { options.environment = environment; },
      "the API whose shaders they are: vulkan (the default), opengl")
      ->default_str("vulkan");
}

void addSpirvPassesOption(CLI::App &command, ReadOptions &options) {
  command.add_option("--spirv-opt", options.spirvPasses,
                     "draw with what these passes of spirv-opt make of the shaders, as \"-O\"; lavapipe draws with the "
                     "shaders as they are");
}

void addReadOptions(CLI::App &command, ReadOptions &options) {
  addSourceOptions(command, options);
  addChoice<SourceKind>(
      command, "--stage", sourceKinds(), [&options](SourceKind kind) { options.kind = kind; },
      "what source is whose file's name does not say it, as that from the standard input (-): GLSL as frag, HLSL as "
      "frag.hlsl");
  addList(command, "--spec", options.specConstants, "value of a specialisation constant: ID=VALUE or NAME=VALUE");
  command
      .add_option("--optimization-level", options.optimizationLevel,
                  "how much is optimised, 0 to 3: from little to all that LLVM does")
      ->check(CLI::Range(0, 3))
      ->capture_default_str();
}

Result<std::vector<ShaderBinary>> readShaderBinaries(const std::string &path, const ReadOptions &options) {
  return path.ends_with(".shader_test") ? readShaderTestBinaries(path, options)
                                        : readShaderFile(path, glslOptions(options, false), options.kind);
}

Result<std::vector<ShaderRef>> readShaders(const std::vector<std::string> &paths, const ReadOptions &options) {
  std::vector<ShaderRef> shaders;
  for (ShaderBinary &binary : DOVETAIL_TRY(readAllBinaries(paths, options))) {
    ShaderDescription description{.name = binary.name,
                                  .words = std::move(binary.words),
                                  .entryPoint = binary.entryPoint,
                                  .stage = binary.stage,
                                  .specConstants = std::move(binary.specConstants),
                                  .environment = options.environment,
                                  .optimizationLevel = options.optimizationLevel};
    shaders.push_back(DOVETAIL_TRY(createShader(std::move(description))));
  }
  DOVETAIL_CHECK(specialize(shaders, options.specConstants));
  return shaders;
}

} // namespace dovetail
