// SPDX-License-Identifier: MIT
//
// `dovetail corpus` compiles every shader below some folders in worker processes, so that not even a crash stops it. It
// counts the outcomes, and groups failures by reason.
#include "tools/common/command/options.h"
#include "tools/common/command/part_way.h"
#include "tools/common/command/progress.h"
#include "tools/common/command/worker_pool.h"
#include "tools/common/inputs/glsl.h"
#include "tools/common/pipelines/corpus_options.h"
#include "tools/common/pipelines/corpus_units.h"
#include "tools/common/pipelines/draw_case.h"
#include "tools/common/pipelines/link_modes.h"
#include "tools/programs/dovetail/commands.h"
#include "tools/programs/dovetail/corpus/corpus_unit_compile.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

namespace dovetail {

namespace {

// Removes numbers (word offsets, ids, registers): they tell shaders apart, not reasons.
std::string groupOf(const std::string &reason) {
  std::string group;
  for (size_t at = 0; at < reason.size(); ++at) {
    if (!std::isdigit(static_cast<unsigned char>(reason[at])))
      group += reason[at];
    else if (at == 0 || !std::isdigit(static_cast<unsigned char>(reason[at - 1])))
      group += 'N';
  }
  return group;
}

class Summary {
public:
  void add(const std::string &unit, UnitOutcome outcomes) {
    m_firstCode += outcomes.firstCode;
    std::ranges::move(outcomes.pipelines, std::back_inserter(m_pipelines));
    for (const ShaderOutcome &outcome : outcomes.shaders) {
      ++m_counts[static_cast<size_t>(outcome.status)];
      if (!outcome.shader.empty()) {
        m_shaders[outcome.shader].layouts.insert(outcome.layout);
        m_shaders[outcome.shader].mainKeys.insert(outcome.mainKey);
      }
      if (outcome.status != ShaderOutcome::Status::Compiled)
        m_reasons[outcome.status][groupOf(outcome.reason)].push_back(outcome);
      m_outcomes.push_back({{"unit", unit},
                            {"name", outcome.name},
                            {"status", std::string(toString(outcome.status))},
                            {"reason", outcome.reason},
                            {"mainMicroseconds", outcome.mainMicroseconds},
                            {"mainBytes", outcome.mainBytes}});
    }
  }

  size_t count(ShaderOutcome::Status status) const { return m_counts[static_cast<size_t>(status)]; }
  // Valid shaders, whether they compiled or not.
  size_t validCount() const { return count(ShaderOutcome::Status::Compiled) + count(ShaderOutcome::Status::Failed); }

  std::string closingLine() const {
    return fmt::format("{} compiled, {} failed, {} not valid input", count(ShaderOutcome::Status::Compiled),
                       count(ShaderOutcome::Status::Failed), count(ShaderOutcome::Status::Invalid));
  }

  std::string printFirstCode() const {
    return m_firstCode.made + m_firstCode.refused ? dovetail::printFirstCode(m_firstCode) : "";
  }

  // Shaders that occur with several layouts, and have one main part for all of them.
  std::string printShared() const {
    size_t shared = 0, compiledAgain = 0;
    for (const auto &[shader, uses] : m_shaders)
      if (uses.layouts.size() > 1) {
        ++shared;
        compiledAgain += uses.mainKeys.size() > 1;
      }
    if (shared == 0)
      return "";
    return fmt::format("{} shaders under several layouts, {} of them compiled more than once\n", shared, compiledAgain);
  }

  // The most frequent reason first, with examples.
  std::string printReasons(ShaderOutcome::Status status) const {
    auto found = m_reasons.find(status);
    if (found == m_reasons.end())
      return "";
    std::vector<std::pair<std::string, std::vector<ShaderOutcome>>> groups(found->second.begin(), found->second.end());
    std::ranges::stable_sort(groups, std::greater(), [](const auto &group) { return group.second.size(); });
    std::string text = fmt::format("{}:\n", toString(status));
    for (const auto &[reason, outcomes] : groups) {
      text += fmt::format("{:6}  {}\n", outcomes.size(), outcomes.size() == 1 ? outcomes.front().reason : reason);
      for (size_t index = 0; index < std::min<size_t>(outcomes.size(), 3); ++index)
        text += fmt::format("          {}\n", outcomes[index].name);
    }
    return text;
  }

  std::string printJson(const CorpusOptions &options) const {
    nlohmann::ordered_json root = {{"gpu", options.gpu},
                                   {"compiled", count(ShaderOutcome::Status::Compiled)},
                                   {"failed", count(ShaderOutcome::Status::Failed)},
                                   {"notValidInput", count(ShaderOutcome::Status::Invalid)},
                                   {"shaders", m_outcomes},
                                   {"pipelines", toJson(m_pipelines)}};
    return root.dump(1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
  }

private:
  struct Uses {
    std::set<std::string> layouts, mainKeys;
  };

  std::array<size_t, 3> m_counts = {};
  std::map<std::string, Uses> m_shaders;
  std::map<ShaderOutcome::Status, std::map<std::string, std::vector<ShaderOutcome>>> m_reasons;
  nlohmann::json m_outcomes = nlohmann::json::array();
  std::vector<InspectedPipeline> m_pipelines;
  FirstCodeCounts m_firstCode;
};

UnitOutcome outcomeOf(const CorpusUnit &unit, const WorkerReply &reply) {
  if (reply.status == WorkerReply::Status::Finished)
    if (Result<UnitOutcome> outcome = parseOutcome(reply.text))
      return std::move(*outcome);
  return failedUnit(unit, reply.text);
}

std::set<lgc::ShaderStage> stagesOf(const std::vector<std::string> &words) {
  std::set<lgc::ShaderStage> stages;
  for (const std::string &word : words)
    stages.insert(*stageOfWord(word));
  return stages;
}

} // namespace

int corpusStatus(int signal, bool hasFailed) {
  if (signal == 0)
    return hasFailed ? 1 : 0;
  std::fprintf(stderr, "interrupted: %s\n", strsignal(signal));
  return 128 + signal;
}

namespace {

Result<int> runCorpus(const CorpusOptions &options) {
  DOVETAIL_CHECK(reserveOutput(options.jsonFile));
  std::vector<CorpusUnit> units = DOVETAIL_TRY(findCorpusUnits(options.folders));
  if (!options.stages.empty()) {
    units = DOVETAIL_TRY(withStages(std::move(units), stagesOf(options.stages)));
    if (units.empty())
      return makeError(ErrorCode::InvalidInput, "--stages: no shader is of these stages");
  }
  // An unknown GPU becomes one Error here, not one for each shader.
  DOVETAIL_TRY(Device::create(options.gpu));
  if (options.limit > 0)
    shuffleUnits(units, options.seed);
  if (options.draw)
    return drawCorpus(options, units);

  std::fputs(describeOtherGpus(units, options.gpu).c_str(), stderr);
  const UnitRows rows = options.jsonFile.empty() ? UnitRows::Unwanted : UnitRows::Wanted;
  const BuildOptions build = {options.monolithic, options.firstCode ? CodeTier::FirstCode : CodeTier::Llvm};
  std::unique_ptr<Device> device; // each worker's own
  auto work = [&](size_t index) {
    if (!device) {
      Result<std::unique_ptr<Device>> created = Device::create(options.gpu);
      if (!created)
        return printOutcome(failedUnit(units[index], created.error().text));
      device = std::move(*created);
      usePartWay(*device, options.parts);
    }
    return printOutcome(compileUnit(*device, units[index], build, options.read, rows));
  };

  Summary summary;
  Progress progress(units.size(), "units");
  auto done = [&](size_t index, const WorkerReply &reply) {
    summary.add(units[index].name, outcomeOf(units[index], reply));
    progress.add([&] { return summary.closingLine(); },
                 unitsUntilLimit(units.size(), progress.done() + 1, options.limit, summary.validCount()));
    return options.limit == 0 || summary.validCount() < options.limit;
  };
  const int signal = runInWorkers(units.size(), options.pool, work, done);

  if (!options.jsonFile.empty())
    DOVETAIL_CHECK(writeOutput(options.jsonFile, summary.printJson(options)));
  print(summary.printReasons(ShaderOutcome::Status::Invalid) + summary.printReasons(ShaderOutcome::Status::Failed) +
        summary.printFirstCode() + summary.printShared() + summary.closingLine() + "\n");
  return corpusStatus(signal, summary.count(ShaderOutcome::Status::Failed) > 0);
}

} // namespace

void addCorpusCommand(CLI::App &app, Command &chosen) {
  auto options = std::make_shared<CorpusOptions>();
  CLI::App *command = app.add_subcommand("corpus", "Compile every shader below some folders");
  command->add_option("DIR", options->folders, "folders with .spv, .spvasm, .shader_test or GLSL files")
      ->required()
      ->check(notEmpty());
  addSourceOptions(*command, options->read);
  addGpuOption(*command, options->gpu)->capture_default_str();
  addPoolOptions(*command, options->pool, "unit");
  command->add_flag("--monolithic", options->monolithic, "compile prolog, main and epilog of a stage as one module");
  command->add_flag("--first-code", options->firstCode,
                    "make main parts as first code where it does not refuse them, and print its refusals; with --draw: "
                    "draw with it, too, and compare with joined code of LLVM");
  addPartWayOption(*command, options->parts);
  command->add_option("--stages", options->stages, "only what has one of these: vert, tesc, tese, geom, frag, comp")
      ->delimiter(',')
      ->check(oneOf(stageWords()));
  command
      ->add_option(
          "--json", options->jsonFile,
          "write the outcome of each shader, and what each program costs, to a file; -: to the standard output")
      ->check(notEmpty());
  command->add_option("--limit", options->limit, "stop after this many shaders that are valid input, in a random order")
      ->check(wholeNumber());
  command->add_option("--seed", options->seed, "of the random order, and of what --draw makes up")
      ->check(wholeNumber())
      ->capture_default_str();
  CLI::Option *draw = command->add_flag("--draw", options->draw,
                                        "draw with the shaders, joined and monolithic, and compare with lavapipe");
  command
      ->add_flag("--optimized", options->optimized,
                 "draw with optimised variants, too, compare them with joined ones, and print what they save")
      ->needs(draw);
  command
      ->add_option("--mode", options->modes,
                   "draw with pipelines that were compiled like this and went through ELF files, too: whole, unlinked, "
                   "part, joined")
      ->delimiter(',')
      ->check(oneOf(modeNames()))
      ->needs(draw);
  command->add_option("--size", options->size, "of the sides of what is drawn to")
      ->check(CLI::Range(1u, 4096u))
      ->capture_default_str()
      ->needs(draw);
  addSpirvPassesOption(*command, options->read);
  command->get_option("--spirv-opt")->needs(draw);
  command->add_option("--color-format", options->colorFormat, "format of all colour targets of floats")->needs(draw);
  command->add_flag("--default-state", options->defaultState, "draw with the state of `draw`, not one by seed")
      ->needs(draw);
  command
      ->add_flag("--radv", options->radv,
                 "where something differs, texels are excused or lavapipe cannot draw, draw with the code of Mesa's "
                 "RADV in the emulator, too: who agrees with whom")
      ->needs(draw);
  command->callback([options, &chosen] { chosen = [options] { return runCorpus(*options); }; });
}

} // namespace dovetail
