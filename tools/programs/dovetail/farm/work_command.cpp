// SPDX-License-Identifier: MIT
//
// `dovetail farm work` takes items off the queue and compiles them into a local store, in worker processes as
// `dovetail warm` does. The parent process alone has the store and speaks to the server (queue_source.h,
// part_keeper.h); a worker process speaks to its parent (item_compiler.h).
#include "tools/common/command/open_device.h"
#include "tools/common/command/options.h"
#include "tools/common/command/output.h"
#include "tools/common/pipelines/corpus_options.h"
#include "tools/programs/dovetail/farm/farm_commands.h"
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

void warn(std::string_view text) {
  std::fprintf(stderr, "dovetail: warning: %.*s\n", int(text.size()), text.data());
}

Result<std::shared_ptr<EntryStore>> openStore(const StoreChoice &choice) {
  PartStoreOptions options = storeOptions(choice);
  options.countsUses = false;
  options.onWarning = warn;
  return EntryStore::open(std::move(options));
}

// Errors: Io.
Result<int> runWork(const WorkOptions &options) {
  const std::shared_ptr<EntryStore> store = DOVETAIL_TRY(openStore(options.store));
  const std::unique_ptr<WorkQueue> queue = DOVETAIL_TRY(openQueue(options.farm));
  // The parts are in the store, too, so they do not wait long for a server.
  RedisOptions redisOptions = options.farm.redis;
  redisOptions.patience = std::chrono::seconds(1);
  const std::unique_ptr<Redis> redis = DOVETAIL_TRY(Redis::prepare(redisOptions));
  PartExchange exchange(*redis, queue->sealer(), queue->build());
  PartKeeper keeper(*store, exchange);
  const auto silence = options.silence ? std::chrono::seconds(options.silence) : options.pool.timeout;
  QueueSource source(*queue, keeper, {options.pool.jobs, silence, options.batch, options.untilEmpty});
  ItemCompiler compiler; // each worker process's own
  const int signal =
      runInWorkers(source, options.pool, [&](const std::string &unit) { return compiler.compile(unit); });
  const Result<void> finished = source.finish();
  store->flush();
  print(source.print() + "\n");
  const PartStoreStatistics statistics = store->statistics();
  warnOfLost(statistics.evicted + statistics.dropped);
  DOVETAIL_CHECK(finished);
  if (signal == 0) { // parts that did not reach the server in time
    PartExchange patient(queue->redis(), queue->sealer(), queue->build());
    if (const Result<SyncCounts> pushed = patient.push(*store, source.gpus()); !pushed)
      warn(pushed.error().text);
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
