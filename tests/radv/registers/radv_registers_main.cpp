// SPDX-License-Identifier: MIT
//
// radv_registers: tests register values against a driver that runs on these GPUs. RADV's null hardware records a draw
// with a pipeline. The register values that RADV writes are compared field by field with those of our image of the same
// shaders and state. A field is equal, explained (explained_fields.h), or wrong.
#include "src/state/format_table.h"
#include "tests/radv/known_differences.h"
#include "tests/radv/radv_process.h"
#include "tests/radv/registers/compare_registers.h"
#include "tests/radv/registers/explained_fields.h"
#include "tests/radv/registers/oracle_states.h"
#include "tests/radv/tested_units.h"
#include "tools/common/inputs/earlier_stages.h"
#include "tools/common/inputs/later_stages.h"
#include "tools/common/inputs/read_shaders.h"
#include "tools/common/pipelines/corpus_units.h"
#include "variants/bind/device.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace dovetail {

namespace {

// A GPU with RADV's name and LLVM's.
struct Family {
  std::string name;
  std::string gpu;
};
const std::vector<Family> Families = {
    {"vega10", "gfx900"}, {"raven", "gfx902"},     {"vega12", "gfx904"},    {"vega20", "gfx906"}, {"raven2", "gfx909"},
    {"renoir", "gfx90c"}, {"polaris10", "gfx803"}, {"polaris12", "gfx803"}, {"fiji", "gfx803"},   {"tonga", "gfx802"},
    {"tonga", "gfx805"},  {"iceland", "gfx802"},   {"carrizo", "gfx801"},   {"stoney", "gfx810"},
};

struct Options {
  unsigned states = 2;
  uint64_t seed = 1;
  bool verbose = false;
};

// The results of all comparisons together.
struct Tally {
  uint64_t pipelines = 0, failedPipelines = 0; // those with a difference are among them
  uint64_t equal = 0, explained = 0, differ = 0, notCompared = 0;
  std::vector<uint64_t> uses = std::vector<uint64_t>(explainedFields().size());
  std::map<std::string, uint64_t> differences; // by text
};

std::string describeTargets(const PipelineState &state) {
  std::string text = fmt::format("{} samples", state.rasterizationSamples);
  for (unsigned i = 0; i < MaxColorTargets; ++i)
    if (const ColorTarget &target = state.colorTargets[i]; target.format != VK_FORMAT_UNDEFINED)
      text += fmt::format(", {} {} mask {:x}{}", i, formatName(target.format), target.writeMask,
                          target.blendEnable ? " blended" : "");
  return text + (state.alphaToCoverageEnable ? ", coverage from alpha" : "");
}

class UnitTest {
public:
  UnitTest(const CorpusUnit &unit, const Options &options, Tally &tally)
      : m_unit(unit), m_options(options), m_tally(tally) {}

  // `firstSeed`: the seed of the first state.
  Result<void> run(const Family &family, Device &device, uint64_t firstSeed) {
    std::vector<ShaderRef> shaders = DOVETAIL_TRY(readShaders(m_unit.files));
    DOVETAIL_CHECK(addEarlierStages(shaders));
    DOVETAIL_CHECK(addLaterStages(shaders));
    ShaderSet set = DOVETAIL_TRY(makeShaderSet(shaders));
    std::vector<PipelineState> states;
    for (unsigned i = 0; i < (set.shader(lgc::ShaderStage::Compute) ? 1 : m_options.states); ++i)
      states.push_back(oracleState(set, firstSeed + i));
    std::vector<Result<RecordedRegisters>> answers = recordWithRadv(family.name, set, states);
    for (size_t i = 0; i < states.size(); ++i) {
      if (!answers[i])
        return tl::unexpected(answers[i].error());
      VariantRef variant = DOVETAIL_TRY(device.bind(set, states[i]));
      for (bool restart : {false, true}) {
        const RecordedDraws &apart = answers[i]->apart, &linked = answers[i]->linked;
        const RegisterComparison comparison = {.image = *variant->image,
                                               .target = *findTarget(family.gpu),
                                               .state = states[i],
                                               .family = family.name,
                                               .radv = restart ? apart.withRestart : apart.plain,
                                               .linkedRadv = restart ? linked.withRestart : linked.plain,
                                               .primitiveRestart = restart};
        count(comparison, firstSeed + i, compareRegisters(comparison));
        if (set.shader(lgc::ShaderStage::Compute))
          break;
      }
    }
    return {};
  }

private:
  void count(const RegisterComparison &comparison, uint64_t seed, const RegisterVerdict &verdict) {
    ++m_tally.pipelines;
    m_tally.failedPipelines += std::ranges::any_of(
        verdict.differences, [](const FieldDifference &each) { return each.explanation == NotExplained; });
    m_tally.equal += verdict.equal;
    for (const FieldDifference &difference : verdict.differences) {
      const bool isExplained = difference.explanation != NotExplained;
      ++(isExplained ? m_tally.explained : m_tally.differ);
      if (isExplained)
        ++m_tally.uses[difference.explanation];
      else
        ++m_tally.differences[fmt::format("{} {}", comparison.family, describe(difference.field))];
      if (!isExplained || m_options.verbose)
        fmt::print("{} {}, seed {}: {} – {}\n", comparison.family, m_unit.name, seed, describe(difference.field),
                   isExplained ? std::string(explainedFields()[difference.explanation].reason)
                               : describeTargets(comparison.state));
    }
  }

  const CorpusUnit &m_unit;
  const Options &m_options;
  Tally &m_tally;
};

void testFamily(const Family &family, const std::vector<CorpusUnit> &units, const Options &options, Tally &tally) {
  Result<std::unique_ptr<Device>> device = Device::create(family.gpu);
  uint64_t seed = options.seed;
  for (const CorpusUnit &unit : units) {
    Result<void> result = device ? UnitTest(unit, options, tally).run(family, **device, seed)
                                 : Result<void>(tl::unexpected(device.error()));
    seed += 1000; // other states for each unit
    if (result)
      continue;
    const KnownDifference *known =
        findKnownDifference(std::filesystem::path(unit.name).filename().string(), RadvBackend::Aco, family.name);
    if (known && known->instead == KnownDifference::Instead::NotRun) {
      std::printf("%s %s: not compared: %s\n", family.name.c_str(), unit.name.c_str(),
                  std::string(known->reason).c_str());
      continue;
    }
    std::printf("%s %s: not compared: %s\n", family.name.c_str(), unit.name.c_str(), result.error().text.c_str());
    ++tally.notCompared;
  }
}

// A row that covers nothing is no longer true.
unsigned reportUnusedRows(const Tally &tally) {
  unsigned unused = 0;
  for (size_t i = 0; i < tally.uses.size(); ++i) {
    const ExplainedField &row = explainedFields()[i];
    if (tally.uses[i] != 0)
      continue;
    std::printf("nothing needs the row %s.%s: %s\n", std::string(row.registers).c_str(), std::string(row.field).c_str(),
                std::string(row.reason).c_str());
    ++unused;
  }
  return unused;
}

} // namespace

} // namespace dovetail

int main(int argc, char **argv) {
  using namespace dovetail;
  CLI::App app{"Compares the registers of our images with those that RADV writes"};
  std::vector<std::string> paths;
  std::vector<std::string> names;
  size_t limit = 0;
  bool wholeRun = false;
  Options options;
  app.add_option("PATH", paths, "Shader files and folders")->required();
  app.add_option("--family", names, "RADV's names of GPUs; all if none is given");
  app.add_option("--seed", options.seed, "Of the first state, and of the choice of units");
  app.add_option("--states", options.states, "States for each unit");
  app.add_option("--limit", limit, "Units to take, chosen by the seed");
  app.add_flag("--whole", wholeRun, "Fails if a row of the table of explained fields covers nothing");
  app.add_flag("--verbose", options.verbose, "What is explained, too");
  CLI11_PARSE(app, argc, argv);
  if (!isRadvThere())
    return SkippedStatus;
  Result<std::vector<CorpusUnit>> units = chooseUnits(paths, limit, options.seed);
  if (!units) {
    std::fprintf(stderr, "%s\n", units.error().text.c_str());
    return 1;
  }
  Tally tally;
  for (const Family &family : Families)
    if (names.empty() || std::ranges::find(names, family.name) != names.end())
      testFamily(family, *units, options, tally);
  for (const auto &[text, count] : tally.differences)
    std::printf("%llu times: %s\n", static_cast<unsigned long long>(count), text.c_str());
  const unsigned unused = wholeRun ? reportUnusedRows(tally) : 0;
  const uint64_t failed = tally.failedPipelines + tally.notCompared + unused;
  fmt::print("{} passed, {} failed\n", tally.pipelines - tally.failedPipelines, failed);
  fmt::print("{} equal, {} explained, {} differ\n", tally.equal, tally.explained, tally.differ);
  return failed == 0 && tally.pipelines != 0 ? 0 : 1;
}
