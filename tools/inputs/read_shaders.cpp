// SPDX-License-Identifier: MIT
#include "tools/inputs/read_shaders.h"
#include "tools/inputs/glsl.h"
#include "tools/inputs/shader_test.h"

namespace dovetail {

namespace {

Result<std::vector<ShaderBinary>> readShaderTestBinaries(const std::string &path) {
  std::vector<GlslSource> sources = DOVETAIL_TRY(readShaderTest(path));
  auto modules = DOVETAIL_TRY(translateGlsl(sources, {.relaxed = true}));
  std::vector<ShaderBinary> binaries;
  for (size_t index = 0; index < sources.size(); ++index)
    binaries.push_back({sources[index].stage, sources[index].name, "main", std::move(modules[index])});
  return binaries;
}

} // namespace

Result<std::vector<ShaderBinary>> readShaderBinaries(const std::string &path) {
  return path.ends_with(".shader_test") ? readShaderTestBinaries(path) : readShaderFile(path);
}

Result<std::vector<ShaderRef>> readShaders(const std::vector<std::string> &paths) {
  std::vector<ShaderRef> shaders;
  for (const std::string &path : paths)
    for (ShaderBinary &binary : DOVETAIL_TRY(readShaderBinaries(path))) {
      ShaderDescription description{binary.name, std::move(binary.words), binary.entryPoint, binary.stage, {}};
      shaders.push_back(DOVETAIL_TRY(createShader(std::move(description))));
    }
  return shaders;
}

} // namespace dovetail
