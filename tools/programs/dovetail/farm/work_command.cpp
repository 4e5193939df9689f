// SPDX-License-Identifier: MIT
//
// `dovetail farm work` takes items off the queue and compiles them into a local store, in worker processes as
// `dovetail warm` does. The parent process alone speaks to the queue (queue_source.h); each worker process has a
// connection of its own for parts (item_compiler.h). Only worker processes have the store open while there are any,
// because a forked process cannot use its parent's.
#include "tools/common/command/options.h"
#include "tools/common/command/output.h"
#include "tools/common/pipelines/corpus_options.h"
#include "tools/programs/dovetail/farm/item_compiler.h"
#include "tools/programs/dovetail/farm/queue_source.h"
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>

namespace dovetail::farm {

namespace {

struct WorkOptions {
  FarmChoice farm;
  StoreChoice store;
  WorkerPoolOptions pool = {.timeout = std::chrono::minutes(5), .maxMemory = uint64_t(4) << 30};
  unsigned silence = 0; // seconds; 0: as long as an item may take
  size_t batch = 0;     // QueueSourceOptions::batch
  bool untilEmpty = false;
};

// Errors: Io.
Result<int> runWork(const WorkOptions &options) {
  // A store that cannot be written to becomes one Error here, not one for each item.
  DOVETAIL_TRY(PartStore::open(storeOptions(options.store)));
  const std::unique_ptr<WorkQueue> queue = DOVETAIL_TRY(openQueue(options.farm));
  const auto silence = options.silence ? std::chrono::seconds(options.silence) : options.pool.timeout;
  QueueSource source(*queue, {options.pool.jobs, silence, options.batch, options.untilEmpty});
  std::optional<ItemCompiler> compiler; // each worker process's own
  const auto work = [&](const std::string &unit) {
    if (!compiler)
      compiler.emplace(options.farm, options.store);
    return compiler->compile(unit);
  };
  const auto atEnd = [&] {
    if (compiler)
      compiler->flush();
  };
  const int signal = runInWorkers(source, options.pool, work, atEnd);
  const Result<void> finished = source.finish();
  print(source.print() + "\n");
  warnOfLost(source.sum().lost);
  DOVETAIL_CHECK(finished);
  if (signal == 0) { // parts that did not reach the server in time
    const std::shared_ptr<PartStore> store = DOVETAIL_TRY(PartStore::open(storeOptions(options.store)));
    PartExchange exchange(queue->redis(), queue->sealer(), queue->build());
    const auto warnOf = [](const Result<SyncCounts> &synced) {
      if (!synced)
        std::fprintf(stderr, "dovetail: warning: %s\n", synced.error().text.c_str());
    };
    warnOf(exchange.push(*store, source.gpus()));
    if (source.hasLostProcess())
      warnOf(exchange.pull(*store, source.gpus()));
  }
  return corpusStatus(signal, source.sum().failed > 0);
}

} // namespace

void addWorkCommand(CLI::App &farm, Command &chosen) {
  auto options = std::make_shared<WorkOptions>();
  options->farm.redis.patience = std::chrono::minutes(10); // a worker outlives restarts of its server
  CLI::App *command = farm.add_subcommand("work", "Compile what is on the queue into a part store");
  addFarmOptions(*command, options->farm);
  addFilledStoreOptions(*command, options->store);
  addPoolOptions(*command, options->pool, "item");
  addMemoryOption(*command, options->pool);
  command
      ->add_option("--silence", options->silence,
                   "seconds after which a worker that says nothing is lost, and its items are taken over; by default "
                   "the time of one item")
      ->check(CLI::Range(1u, 86400u));
  command
      ->add_option("--batch", options->batch,
                   "items that are taken at once; by default as many as take a quarter of a second, and at least four "
                   "for each process")
      ->check(CLI::Range(1u, 10000u));
  command->add_flag("--until-empty", options->untilEmpty, "end when no item is left");
  command->callback([&chosen, options] { chosen = [options] { return runWork(*options); }; });
}

} // namespace dovetail::farm
