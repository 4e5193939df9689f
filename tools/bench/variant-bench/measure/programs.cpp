// SPDX-License-Identifier: MIT
#include "tools/bench/variant-bench/measure/programs.h"
#include "gfx9-merged/stage_map.h"
#include "tools/common/inputs/earlier_stages.h"
#include "tools/common/inputs/later_stages.h"
#include "tools/common/inputs/read_shaders.h"
#include "tools/common/pipelines/corpus_units.h"
#include <algorithm>
#include <cctype>
#include <filesystem>

namespace dovetail {

namespace {

constexpr GridSize PairedStates = {8, 11, 1};

std::string shortName(const std::string &name) {
  std::string text = std::filesystem::path(name).filename().string();
  text = text.substr(0, text.find('.'));
  std::ranges::replace_if(
      text, [](unsigned char letter) { return std::isalnum(letter) == 0; }, '_');
  return text.empty() ? "unnamed" : text;
}

// If the unit has several entry points of one stage, takes the first.
Result<BenchProgram> readProgram(const CorpusUnit &unit, const GridSize &size) {
  std::vector<ShaderRef> shaders;
  for (const ShaderRef &shader : DOVETAIL_TRY(readShaders(unit.files)))
    if (std::ranges::none_of(
            shaders, [&](const ShaderRef &other) { return other->description.stage == shader->description.stage; }))
      shaders.push_back(shader);
  DOVETAIL_CHECK(addEarlierStages(shaders));
  DOVETAIL_CHECK(addLaterStages(shaders));
  BenchProgram program;
  program.name = shortName(unit.name);
  program.files = unit.files;
  program.set = DOVETAIL_TRY(makeShaderSet(shaders));
  DOVETAIL_TRY(mapStages(program.set.stageMask(), true)); // refuses shaders that are no program
  program.grid = makeStateGrid(program.set, size);
  program.pairs = makeStateGrid(program.set, PairedStates);
  return program;
}

// The second "light" becomes "light_2".
void makeUnique(std::string &name, std::span<const BenchProgram> others) {
  const std::string wanted = name;
  for (unsigned number = 2; findProgram(others, name); ++number)
    name = fmt::format("{}_{}", wanted, number);
}

} // namespace

bool BenchProgram::isPair() const {
  return set.stageMask() == (1u << unsigned(lgc::ShaderStage::Vertex) | 1u << unsigned(lgc::ShaderStage::Fragment));
}

const BenchProgram *findProgram(std::span<const BenchProgram> programs, std::string_view name) {
  auto found = std::ranges::find(programs, name, &BenchProgram::name);
  return found == programs.end() ? nullptr : &*found;
}

Result<std::vector<BenchProgram>> readOwnPrograms(const GridSize &size) {
  const std::string folder = DOVETAIL_BENCH_SHADERS, tested = DOVETAIL_OWN_SHADERS;
  ProgramList list = DOVETAIL_TRY(readBenchPrograms({folder, tested + "/pbr.vert", tested + "/pbr.frag"}, size));
  constexpr std::string_view Order[] = {"textured", "phong", "pbr", "tess", "geom", "uint", "gbuffer"};
  std::ranges::sort(list.programs, {},
                    [&](const BenchProgram &program) { return std::ranges::find(Order, program.name); });
  return std::move(list.programs);
}

Result<ProgramList> readBenchPrograms(const std::vector<std::string> &paths, const GridSize &size, size_t limit) {
  std::vector<CorpusUnit> units = DOVETAIL_TRY(findCorpusUnits(paths));
  if (limit != 0 && units.size() > limit)
    shuffleUnits(units, 1);
  ProgramList list;
  for (const CorpusUnit &unit : units) {
    if (limit != 0 && list.programs.size() == limit)
      break;
    Result<BenchProgram> program = readProgram(unit, size);
    if (!program) {
      const std::string &reason = program.error().text;
      list.refused.push_back(fmt::format("{}: {}", unit.name, reason.substr(0, reason.find('\n'))));
      continue;
    }
    makeUnique(program->name, list.programs);
    list.programs.push_back(std::move(*program));
  }
  if (list.programs.empty())
    return makeError(ErrorCode::InvalidInput, "none of the shaders is part of a program; the first: {}",
                     list.refused.front());
  return list;
}

} // namespace dovetail
