// SPDX-License-Identifier: MIT
#include "tools/corpus_units.h"
#include "src/lgc/shader_modes.h"
#include "tools/glsl.h"
#include "tools/shader_file.h"
#include <algorithm>
#include <filesystem>
#include <map>

namespace dovetail {

namespace {

namespace fs = std::filesystem;

// "dir/light" and the stage for "dir/light.frag", "dir/light.frag.spv" and "dir/light.frag.glsl".
std::optional<std::pair<std::string, lgc::ShaderStage>> pairName(std::string path) {
  for (std::string_view ending : {".spv", ".spvasm", ".glsl"})
    if (path.ends_with(ending))
      path.resize(path.size() - ending.size());
  std::optional<lgc::ShaderStage> stage = stageOfFileName(path);
  if (!stage)
    return std::nullopt;
  return std::pair(path.substr(0, path.rfind('.')), *stage);
}

Result<std::vector<std::string>> findFiles(const std::vector<std::string> &paths) {
  std::vector<std::string> files;
  for (const std::string &path : paths) {
    std::error_code failure;
    if (!fs::exists(path, failure))
      return makeError(ErrorCode::Io, "cannot read {}: {}", path,
                       failure ? failure.message() : "No such file or directory");
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    auto options = fs::directory_options::skip_permission_denied;
    for (auto entry = fs::recursive_directory_iterator(path, options, failure);
         !failure && entry != fs::recursive_directory_iterator(); entry.increment(failure))
      if (entry->is_regular_file() && isShaderFile(entry->path().string()))
        files.push_back(entry->path().string());
    if (failure)
      return makeError(ErrorCode::Io, "cannot read {}: {}", path, failure.message());
  }
  std::ranges::sort(files);
  files.erase(std::ranges::unique(files).begin(), files.end());
  return files;
}

} // namespace

Result<std::vector<CorpusUnit>> findCorpusUnits(const std::vector<std::string> &paths) {
  std::vector<std::string> files = DOVETAIL_TRY(findFiles(paths));
  // Vertex and fragment shaders by what their names have in common.
  std::map<std::string, std::map<lgc::ShaderStage, std::vector<std::string>>> named;
  for (const std::string &file : files)
    if (auto name = pairName(file))
      named[name->first][name->second].push_back(file);

  std::vector<CorpusUnit> units;
  for (const std::string &file : files) {
    auto name = pairName(file);
    if (name) {
      auto &stages = named[name->first];
      auto &vertex = stages[lgc::ShaderStage::Vertex];
      auto &fragment = stages[lgc::ShaderStage::Fragment];
      // Any other stage between the two changes what they pass to each other.
      bool hasOthers = stages.contains(lgc::ShaderStage::TessControl) || stages.contains(lgc::ShaderStage::TessEval) ||
                       stages.contains(lgc::ShaderStage::Geometry);
      if (vertex.size() == 1 && fragment.size() == 1 && !hasOthers &&
          (file == vertex.front() || file == fragment.front())) {
        if (file == vertex.front())
          units.push_back({name->first, {vertex.front(), fragment.front()}});
        continue;
      }
    }
    units.push_back({file, {file}});
  }
  std::ranges::sort(units, {}, &CorpusUnit::name);
  return units;
}

void shuffleUnits(std::vector<CorpusUnit> &units, uint64_t seed) {
  // splitmix64, and the remainder for an index: the same on every machine, which std::shuffle does not promise.
  auto next = [&] {
    uint64_t value = seed += 0x9e3779b97f4a7c15;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
    value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
    return value ^ (value >> 31);
  };
  for (size_t count = units.size(); count > 1; --count)
    std::swap(units[count - 1], units[next() % count]);
}

} // namespace dovetail
