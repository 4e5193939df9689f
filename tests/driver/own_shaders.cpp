// SPDX-License-Identifier: MIT
#include "tests/driver/own_shaders.h"
#include "tools/common/inputs/earlier_stages.h"
#include "tools/common/inputs/later_stages.h"
#include "tools/common/inputs/shader_file.h"
#include <doctest/doctest.h>
#include <filesystem>
#include <map>

namespace dovetail {

namespace {

ShaderRef readOwnShader(const std::filesystem::path &path) {
  auto binaries = readShaderFile(path);
  if (!binaries)
    FAIL(path.string() << ": " << binaries.error().text);
  ShaderBinary &binary = binaries->front();
  auto shader = createShader({path.filename(), std::move(binary.words), binary.entryPoint, binary.stage, {}});
  if (!shader)
    FAIL(shader.error().text);
  return *shader;
}

} // namespace

std::vector<OwnProgram> readOwnPrograms() {
  std::map<std::string, std::vector<std::filesystem::path>> files; // by the name that shaders which are drawn together
                                                                   // share
  for (const auto &entry : std::filesystem::directory_iterator(DOVETAIL_OWN_SHADERS)) {
    bool isCompute = entry.path().extension() == ".comp";
    files[(isCompute ? entry.path().filename() : entry.path().stem()).string()].push_back(entry.path());
  }
  std::vector<OwnProgram> programs;
  for (auto &[stem, paths] : files) {
    std::vector<ShaderRef> shaders;
    std::string name;
    std::sort(paths.begin(), paths.end());
    for (const std::filesystem::path &path : paths) {
      shaders.push_back(readOwnShader(path));
      name += (name.empty() ? "" : " + ") + path.filename().string();
    }
    for (auto accompany : {addEarlierStages, addLaterStages}) {
      Result<void> done = accompany(shaders);
      if (!done)
        FAIL(name << ": " << done.error().text);
    }
    auto set = makeShaderSet(shaders);
    if (!set)
      FAIL(name << ": " << set.error().text);
    programs.push_back({std::move(name), std::move(*set)});
  }
  return programs;
}

size_t forEachOwnShader(const std::function<void(const ShaderSet &program, const Shader &shader)> &visit) {
  size_t count = 0;
  for (const OwnProgram &program : readOwnPrograms())
    for (const ShaderRef &shader : program.shaders.shaders)
      if (shader) {
        CAPTURE(shader->description.name);
        visit(program.shaders, *shader);
        ++count;
      }
  return count;
}

} // namespace dovetail
