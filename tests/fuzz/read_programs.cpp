// SPDX-License-Identifier: MIT
#include "tests/fuzz/read_programs.h"
#include "tools/common/command/write_file.h"
#include <cstring>
#include <filesystem>

namespace dovetail::fuzz {

namespace {

Result<ShaderSet> readProgram(const std::vector<std::string> &paths) {
  std::vector<ShaderRef> shaders;
  for (const std::string &path : paths) {
    const std::string bytes = DOVETAIL_TRY(readWholeFile(path));
    ShaderDescription description;
    description.name = std::filesystem::path(path).filename();
    description.words.resize(bytes.size() / sizeof(uint32_t));
    std::memcpy(description.words.data(), bytes.data(), description.words.size() * sizeof(uint32_t));
    const std::vector<spirv::EntryPointInfo> entryPoints = DOVETAIL_TRY(spirv::entryPoints(description.words));
    if (entryPoints.empty())
      return makeError(ErrorCode::InvalidInput, "{} has no entry point", path);
    description.entryPoint = entryPoints.front().name;
    description.stage = entryPoints.front().stage;
    shaders.push_back(DOVETAIL_TRY(createShader(std::move(description))));
  }
  return makeShaderSet(shaders);
}

} // namespace

Result<std::map<std::string, ShaderSet>> readPrograms(const std::vector<std::string> &paths) {
  std::map<std::string, std::vector<std::string>> modules;
  for (const std::string &path : paths) {
    const std::string name = std::filesystem::path(path).filename();
    modules[name.substr(0, name.find('.'))].push_back(path);
  }
  std::map<std::string, ShaderSet> programs;
  for (const auto &[name, program] : modules)
    programs[name] = DOVETAIL_TRY(readProgram(program));
  return programs;
}

} // namespace dovetail::fuzz
