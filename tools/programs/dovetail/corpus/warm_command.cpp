// SPDX-License-Identifier: MIT
//
// `dovetail warm` compiles the pipelines of captures into a part store, in worker processes, so that a driver with that
// store compiles nothing. Another run resumes an interrupted one: it does not make parts that are in the store, and
// leaves out pipelines that the compiler could not survive (bad_list.h).
#include "tools/common/command/open_device.h"
#include "tools/common/command/options.h"
#include "tools/common/command/output.h"
#include "tools/common/command/progress.h"
#include "tools/common/command/worker_pool.h"
#include "tools/common/pipelines/corpus_options.h"
#include "tools/common/pipelines/corpus_units.h"
#include "tools/programs/dovetail/commands.h"
#include "tools/programs/dovetail/corpus/bad_list.h"
#include "tools/programs/dovetail/corpus/corpus_unit_compile.h"
#include "tools/programs/dovetail/corpus/warmed.h"
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace dovetail {

namespace {

struct WarmOptions {
  std::vector<std::string> captures;
  ReadOptions read;
  std::vector<std::string> gpus = {"gfx900"};
  StoreChoice store;
  WorkerPoolOptions pool = {.timeout = std::chrono::minutes(5), .maxMemory = uint64_t(4) << 30};
  bool retriesBad = false;
  std::string jsonFile;
};

// A pipeline for a GPU.
struct WarmItem {
  const CorpusUnit *unit;
  std::string gpu;
  Hash128 content;

  std::string name() const { return fmt::format("{} ({})", unit->name, gpu); }
};

class WarmRun {
public:
  WarmRun(const WarmOptions &options, BadList bad) : m_options(options), m_bad(std::move(bad)) {}

  // One GPU after the other, so that a worker has one device at a time. Errors: Io.
  Result<void> addItems(const std::vector<CorpusUnit> &units);
  int run();
  std::string printJson() const;
  const WarmedSum &sum() const { return m_sum; }

private:
  std::string work(const WarmItem &item);
  void note(const WarmItem &item, const Warmed &warmed);
  void noteFailure(const WarmItem &item, const std::string &reason, bool isSkipped);

  const WarmOptions &m_options;
  BadList m_bad;
  bool m_writesBad = true;
  std::vector<WarmItem> m_items;
  WarmedSum m_sum;
  size_t m_done = 0;
  double m_seconds = 0;
  nlohmann::ordered_json m_failures = nlohmann::ordered_json::array();
  std::unique_ptr<Device> m_device; // in a worker: for m_gpu
  std::string m_gpu;
};

Result<void> WarmRun::addItems(const std::vector<CorpusUnit> &units) {
  for (const std::string &gpu : m_options.gpus)
    for (const CorpusUnit &unit : units) {
      WarmItem item{&unit, gpu, DOVETAIL_TRY(contentOf(unit))};
      const std::optional<std::string> bad = m_bad.find(unit, item.content, gpu);
      if (bad && !m_options.retriesBad) {
        ++m_sum.skipped;
        noteFailure(item, *bad, true);
      } else {
        m_items.push_back(std::move(item));
      }
    }
  return {};
}

void WarmRun::noteFailure(const WarmItem &item, const std::string &reason, bool isSkipped) {
  const std::string name = m_options.gpus.size() > 1 ? item.name() : item.unit->name;
  std::fprintf(stderr, "%s: %s%s\n", name.c_str(), isSkipped ? "skipped, because an earlier run failed: " : "",
               reason.c_str());
  m_failures.push_back({{"pipeline", item.unit->name}, {"gpu", item.gpu}, {"reason", reason}, {"skipped", isSkipped}});
}

std::string WarmRun::work(const WarmItem &item) {
  if (!m_device || m_gpu != item.gpu) {
    m_device.reset();
    Result<std::unique_ptr<Device>> created = openDevice(item.gpu, m_options.store);
    if (!created)
      return toReply(Warmed{.reason = created.error().text});
    m_device = std::move(*created);
    m_gpu = item.gpu;
  }
  return toReply(warm(*m_device, [&] {
    for (const ShaderOutcome &outcome : compileUnit(*m_device, *item.unit, {}, m_options.read).shaders)
      if (outcome.status != ShaderOutcome::Status::Compiled)
        return outcome.reason;
    return std::string();
  }));
}

void WarmRun::note(const WarmItem &item, const Warmed &warmed) {
  if (!warmed.reason.empty())
    noteFailure(item, warmed.reason, false);
  if (warmed.isFatal)
    if (Result<void> added = m_bad.add(*item.unit, item.content, item.gpu, warmed.reason); !added && m_writesBad) {
      m_writesBad = false;
      std::fprintf(stderr, "dovetail: warning: the next run will try such pipelines again: %s\n",
                   added.error().text.c_str());
    }
  m_sum.add(warmed);
}

int WarmRun::run() {
  const auto begin = std::chrono::steady_clock::now();
  Progress progress(m_items.size(), "pipelines");
  auto done = [&](size_t index, const WorkerReply &reply) {
    note(m_items[index], parseWarmed(reply));
    progress.add([&] {
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      return fmt::format("{}; {:.1f} a second", m_sum.print(), double(m_done + 1) / took.count());
    });
    ++m_done;
    return true;
  };
  const int signal = runInWorkers(
      m_items.size(), m_options.pool, [&](size_t index) { return work(m_items[index]); }, done);
  m_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  print(fmt::format("{} of {} pipelines: {}\n", m_done, m_items.size(), m_sum.print()));
  return signal;
}

std::string WarmRun::printJson() const {
  const nlohmann::ordered_json root = {
      {"gpus", m_options.gpus}, {"pipelines", m_items.size() + m_sum.skipped},
      {"done", m_done},         {"made", m_sum.made},
      {"known", m_sum.known},   {"lost", m_sum.lost},
      {"failed", m_sum.failed}, {"skipped", m_sum.skipped},
      {"seconds", m_seconds},   {"pipelinesPerSecond", m_seconds > 0 ? double(m_done) / m_seconds : 0},
      {"failures", m_failures}};
  return root.dump(1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
}

Result<int> runWarm(const WarmOptions &options) {
  DOVETAIL_CHECK(reserveOutput(options.jsonFile));
  const std::vector<CorpusUnit> units = withStateFiles(DOVETAIL_TRY(findCorpusUnits(options.captures)));
  // An unknown GPU, or a store that cannot be written to, becomes one Error here, not one for each pipeline.
  for (const std::string &gpu : options.gpus) {
    std::unique_ptr<Device> device = DOVETAIL_TRY(openDevice(gpu, options.store));
    DOVETAIL_CHECK(device->flushStore());
  }
  if (options.gpus.size() == 1)
    std::fputs(describeOtherGpus(units, options.gpus.front()).c_str(), stderr);

  WarmRun run(options, DOVETAIL_TRY(BadList::read(options.captures)));
  DOVETAIL_CHECK(run.addItems(units));
  const int signal = run.run();
  if (!options.jsonFile.empty())
    DOVETAIL_CHECK(writeOutput(options.jsonFile, run.printJson()));
  warnOfLost(run.sum().lost);
  return corpusStatus(signal, run.sum().failed + run.sum().skipped > 0);
}

} // namespace

void addWarmCommand(CLI::App &app, Command &chosen) {
  auto options = std::make_shared<WarmOptions>();
  CLI::App *command = app.add_subcommand("warm", "Compile what captures have into a part store");
  command->add_option("CAPTURE", options->captures, "Fossilize databases (.foz), or folders of shaders as for corpus")
      ->required()
      ->check(notEmpty());
  addSourceOptions(*command, options->read);
  addGpuOption(*command, options->gpus, "GPUs, separated by commas")->capture_default_str();
  addFilledStoreOptions(*command, options->store);
  addPoolOptions(*command, options->pool, "pipeline");
  addMemoryOption(*command, options->pool);
  command->add_flag("--retry-bad", options->retriesBad,
                    "try the pipelines again that crashed the compiler or took too long or too much memory");
  command->add_option("--json", options->jsonFile, "write a summary to a file; -: to the standard output")
      ->check(notEmpty());
  command->callback([&chosen, options] { chosen = [options] { return runWarm(*options); }; });
}

} // namespace dovetail
