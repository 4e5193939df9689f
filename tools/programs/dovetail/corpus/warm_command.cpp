// SPDX-License-Identifier: MIT
//
// `dovetail warm` compiles the pipelines of captures into a part store, in worker processes, so that a driver with that
// store compiles nothing. Another run resumes an interrupted one: it does not make parts that are in the store.
#include "tools/common/command/open_device.h"
#include "tools/common/command/options.h"
#include "tools/common/command/output.h"
#include "tools/common/command/progress.h"
#include "tools/common/command/worker_pool.h"
#include "tools/common/pipelines/corpus_options.h"
#include "tools/common/pipelines/corpus_units.h"
#include "tools/programs/dovetail/commands.h"
#include "tools/programs/dovetail/corpus/corpus_unit_compile.h"
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace dovetail {

namespace {

using Status = ShaderOutcome::Status;

struct WarmOptions {
  std::vector<std::string> captures;
  ReadOptions read;
  std::string gpu = "gfx900";
  StoreChoice store;
  WorkerPoolOptions pool = {.timeout = std::chrono::minutes(5)};
};

// The outcome of a pipeline, as a worker sends it.
struct Warmed {
  uint64_t made = 0, known = 0; // parts made, and parts that the store had
  uint64_t lost = 0;            // parts that the store evicted to make room, or refused
  std::string reason;           // why it could not be compiled; empty: it compiled
};

std::string toReply(const Warmed &warmed) {
  return nlohmann::json{
      {"made", warmed.made}, {"known", warmed.known}, {"lost", warmed.lost}, {"reason", warmed.reason}}
      .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

Warmed parse(const WorkerReply &reply) {
  if (reply.status != WorkerReply::Status::Finished)
    return {.reason = reply.text};
  const nlohmann::json entry = nlohmann::json::parse(reply.text, nullptr, false);
  if (!entry.is_object())
    return {.reason = "a worker's reply is not understood"};
  return {entry.value("made", uint64_t(0)), entry.value("known", uint64_t(0)), entry.value("lost", uint64_t(0)),
          entry.value("reason", std::string())};
}

// Runs in a worker. When it returns, the new parts are on disk.
Warmed warm(Device &device, const CorpusUnit &unit, const ReadOptions &read) {
  const DeviceStatistics before = device.statistics();
  Warmed warmed;
  for (const ShaderOutcome &outcome : compileUnit(device, unit, {}, read).shaders)
    if (outcome.status != ShaderOutcome::Status::Compiled && warmed.reason.empty())
      warmed.reason = outcome.reason;
  warmed.made = device.statistics().parts.made - before.parts.made;
  if (warmed.made != 0)
    if (Result<void> flushed = device.flushStore(); !flushed && warmed.reason.empty())
      warmed.reason = flushed.error().text;
  const DeviceStatistics after = device.statistics();
  warmed.known = after.parts.stored - before.parts.stored;
  warmed.lost = after.store.evicted + after.store.dropped - before.store.evicted - before.store.dropped;
  return warmed;
}

// The sum over all pipelines.
struct WarmedSum {
  uint64_t made = 0, known = 0, lost = 0;
  size_t failed = 0;

  void add(const Warmed &warmed) {
    made += warmed.made;
    known += warmed.known;
    lost += warmed.lost;
    failed += !warmed.reason.empty();
  }
  std::string print() const { return fmt::format("{} parts made, {} known, {} failed", made, known, failed); }
};

Result<int> runWarm(const WarmOptions &options) {
  const std::vector<CorpusUnit> units = DOVETAIL_TRY(findCorpusUnits(options.captures));
  // An unknown GPU, or a store that cannot be written to, becomes one Error here, not one for each pipeline.
  {
    std::unique_ptr<Device> device = DOVETAIL_TRY(openDevice(options.gpu, options.store));
    DOVETAIL_CHECK(device->flushStore());
  }
  std::fputs(describeOtherGpus(units, options.gpu).c_str(), stderr);

  std::unique_ptr<Device> device; // each worker's own
  auto work = [&](size_t index) {
    if (!device) {
      Result<std::unique_ptr<Device>> created = openDevice(options.gpu, options.store);
      if (!created)
        return toReply(Warmed{.reason = created.error().text});
      device = std::move(*created);
    }
    return toReply(warm(*device, units[index], options.read));
  };

  WarmedSum sum;
  Progress progress(units.size(), "pipelines");
  auto done = [&](size_t index, const WorkerReply &reply) {
    const Warmed warmed = parse(reply);
    if (!warmed.reason.empty())
      std::fprintf(stderr, "%s: %s\n", units[index].name.c_str(), warmed.reason.c_str());
    sum.add(warmed);
    progress.add([&] { return sum.print(); });
    return true;
  };
  const int signal = runInWorkers(units.size(), options.pool, work, done);
  print(fmt::format("{} of {} pipelines: {}\n", progress.done(), units.size(), sum.print()));
  // Evicted parts may be old and unwanted, so evictions are no failure.
  if (sum.lost > 0)
    std::fputs(fmt::format("dovetail: warning: the store has no room for all: {} parts were evicted from it or not "
                           "kept; --max-bytes N lets it grow\n",
                           sum.lost)
                   .c_str(),
               stderr);
  return corpusStatus(signal, sum.failed > 0);
}

} // namespace

void addWarmCommand(CLI::App &app, Command &chosen) {
  auto options = std::make_shared<WarmOptions>();
  CLI::App *command = app.add_subcommand("warm", "Compile what captures have into a part store");
  command->add_option("CAPTURE", options->captures, "Fossilize databases (.foz), or folders of shaders as for corpus")
      ->required()
      ->check(notEmpty());
  addSourceOptions(*command, options->read);
  addGpuOption(*command, options->gpu)->capture_default_str();
  addStoreOptions(*command, options->store);
  command->get_option("--store")->required();
  command
      ->add_option("--max-bytes", options->store.maxBytes,
                   "so many bytes the store may have, for example 4G; a driver that opens it sets its own limit")
      ->transform(CLI::AsSizeValue(false))
      ->transform(wholeNumber()) // CLI11 calls the last transform first
      ->default_str("1G");
  addPoolOptions(*command, options->pool, "pipeline");
  command->callback([&chosen, options] { chosen = [options] { return runWarm(*options); }; });
}

} // namespace dovetail
