// SPDX-License-Identifier: MIT
#include "tools/common/pipelines/corpus_units.h"
#include "src/lgc/state/shader_modes.h"
#include "tools/common/command/options.h"
#include "tools/common/command/write_file.h"
#include "tools/common/inputs/glsl.h"
#include "tools/common/inputs/shader_file.h"
#include "tools/common/inputs/shader_test.h"
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace dovetail {

namespace {

namespace fs = std::filesystem;

// "dir/light" and the stage for "dir/light.frag", "dir/light.frag.spv" and "dir/light.frag.hlsl".
std::optional<std::pair<std::string, lgc::ShaderStage>> pairName(std::string path) {
  for (std::string_view ending : {".spv", ".spvasm"})
    if (path.ends_with(ending))
      path.erase(path.size() - ending.size());
  path.erase(withoutLanguage(path).size());
  std::optional<lgc::ShaderStage> stage = stageOfFileName(path);
  if (!stage)
    return std::nullopt;
  return std::pair(path.substr(0, path.rfind('.')), *stage);
}

Result<std::vector<std::string>> findFiles(const std::vector<std::string> &paths) {
  std::vector<std::string> files;
  for (const std::string &path : paths) {
    std::error_code failure;
    if (path.find('#') != std::string::npos && namesPipeline(path)) {
      files.push_back(path);
      continue;
    }
    if (!fs::exists(path, failure))
      return makeError(ErrorCode::Io, "cannot read {}: {}", path,
                       failure ? failure.message() : "No such file or directory");
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    const size_t countBefore = files.size();
    auto options = fs::directory_options::skip_permission_denied;
    std::error_code isUnreadable; // a link to nowhere, or in a circle
    for (auto entry = fs::recursive_directory_iterator(path, options, failure);
         !failure && entry != fs::recursive_directory_iterator(); entry.increment(failure))
      if (entry->is_regular_file(isUnreadable) &&
          (isShaderFile(entry->path().string()) || namesPipeline(entry->path().string())))
        files.push_back(entry->path().string());
    if (failure)
      return makeError(ErrorCode::Io, "cannot read {}: {}", path, failure.message());
    if (files.size() == countBefore)
      return makeError(ErrorCode::InvalidInput, "{}: there is no shader file in this folder", path);
  }
  std::ranges::sort(files);
  files.erase(std::ranges::unique(files).begin(), files.end());
  return files;
}

Result<bool> hasAny(const CorpusUnit &unit, const StageSet &stages) {
  auto isListed = [&](lgc::ShaderStage stage) { return stages.contains(stage); };
  for (const std::string &file : unit.files) {
    // A pipeline that cannot be read counts as having the stages: its unit fails later.
    if (namesPipeline(file) && std::ranges::any_of(stagesOfPipeline(file).value_or(stages), isListed))
      return true;
    if (auto name = pairName(file); name && isListed(name->second))
      return true;
    if (file.ends_with(".shader_test") && std::ranges::any_of(DOVETAIL_TRY(stagesOfShaderTest(file)), isListed))
      return true;
  }
  return false;
}

// The units that have one of the stages; with `having` false, the units that have none of them.
Result<std::vector<CorpusUnit>> filter(std::vector<CorpusUnit> units, const StageSet &stages, bool having) {
  std::vector<CorpusUnit> kept;
  for (CorpusUnit &unit : units)
    if (DOVETAIL_TRY(hasAny(unit, stages)) == having)
      kept.push_back(std::move(unit));
  return kept;
}

} // namespace

Result<std::vector<CorpusUnit>> findCorpusUnits(const std::vector<std::string> &paths) {
  std::vector<std::string> files = DOVETAIL_TRY(findFiles(paths));
  // Graphics shaders by the common part of their names.
  std::map<std::string, std::map<lgc::ShaderStage, std::vector<std::string>>> named;
  for (const std::string &file : files)
    if (auto name = pairName(file); name && name->second != lgc::ShaderStage::Compute)
      named[name->first][name->second].push_back(file);

  std::vector<CorpusUnit> units;
  std::set<std::string> taken;
  for (const auto &[name, stages] : named) {
    bool isUnique = std::ranges::all_of(stages, [](const auto &stage) { return stage.second.size() == 1; });
    if (stages.size() < 2 || !isUnique)
      continue;
    CorpusUnit unit{name, {}, {}};
    for (const auto &[stage, paths] : stages)
      unit.files.push_back(paths.front());
    taken.insert(unit.files.begin(), unit.files.end());
    units.push_back(std::move(unit));
  }
  for (const std::string &file : files)
    if (isPipelineDatabase(file))
      for (std::string &pipeline : DOVETAIL_TRY(namesOfPipelines(file)))
        units.push_back({pipeline, {pipeline}, {}});
    else if (!taken.contains(file))
      units.push_back({file, {file}, {}});
  std::ranges::sort(units, {}, &CorpusUnit::name);
  return units;
}

Result<std::vector<CorpusUnit>> withStages(std::vector<CorpusUnit> units, const StageSet &wanted) {
  return filter(std::move(units), wanted, true);
}

Result<std::vector<CorpusUnit>> withoutStages(std::vector<CorpusUnit> units, const StageSet &unwanted) {
  return filter(std::move(units), unwanted, false);
}

std::vector<CorpusUnit> withStateFiles(std::vector<CorpusUnit> units) {
  std::map<fs::path, std::vector<std::string>> states; // of each folder, sorted
  const auto statesIn = [&](const fs::path &folder) -> const std::vector<std::string> & {
    auto [known, isNew] = states.try_emplace(folder);
    std::error_code failure; // a folder that cannot be read has no states
    if (isNew)
      for (auto entry = fs::directory_iterator(folder.empty() ? "." : folder, failure);
           !failure && entry != fs::directory_iterator(); entry.increment(failure))
        if (entry->path().extension() == ".json")
          known->second.push_back(entry->path().filename());
    std::ranges::sort(known->second);
    return known->second;
  };
  std::vector<CorpusUnit> result;
  for (CorpusUnit &unit : units) {
    const auto name = namesPipeline(unit.files.front()) ? std::nullopt : pairName(unit.files.front());
    const fs::path stem = name ? name->first : "";
    const size_t before = result.size();
    if (name)
      for (const std::string &state : statesIn(stem.parent_path()))
        if (state.starts_with(stem.filename().string() + "."))
          result.push_back({fmt::format("{} ({})", unit.name, state), unit.files, stem.parent_path() / state});
    if (result.size() == before)
      result.push_back(std::move(unit));
  }
  return result;
}

Result<Hash128> contentOf(const CorpusUnit &unit) {
  Hasher hasher;
  constexpr size_t HashDigits = 16;
  const auto captured = splitCapturedName(unit.files.front());
  if (captured && captured->selector.size() == HashDigits) // of the contents
    return hasher.add(captured->selector).finish();
  for (const std::string &file : unit.files)
    hasher.add(DOVETAIL_TRY(readWholeFile(captured ? captured->path : file)));
  if (!unit.stateFile.empty())
    hasher.add(DOVETAIL_TRY(readWholeFile(unit.stateFile)));
  return hasher.finish();
}

std::string describeOtherGpus(const std::vector<CorpusUnit> &units, std::string_view gpu) {
  std::string lines;
  for (const CorpusUnit &unit : units) {
    // A file that cannot be read is skipped here: its unit fails later.
    const std::string dumpedFor = gpuOfPipeline(unit.files.front()).value_or("");
    if (!dumpedFor.empty() && gpuNameOf(dumpedFor) != gpu)
      lines += fmt::format("{}: dumped for {}, and compiled for {}\n", unit.name, dumpedFor, gpu);
  }
  return lines;
}

void shuffleUnits(std::vector<CorpusUnit> &units, uint64_t seed) {
  // splitmix64, and the remainder for an index: gives the same order on every machine. std::shuffle does not promise
  // that.
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
