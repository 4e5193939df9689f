// SPDX-License-Identifier: MIT
//
// `dovetail farm retry`, `drop` and `sync`.
#include "tools/common/command/open_device.h"
#include "tools/common/command/options.h"
#include "tools/common/command/output.h"
#include "tools/programs/dovetail/farm/farm_commands.h"
#include "tools/programs/dovetail/farm/part_exchange.h"
#include <CLI/CLI.hpp>

namespace dovetail::farm {

namespace {

struct DropOptions {
  FarmChoice farm;
  bool all = false, parts = false;
};

Result<int> runRetry(const FarmChoice &farm) {
  const std::unique_ptr<WorkQueue> queue = DOVETAIL_TRY(openQueue(farm));
  print(fmt::format("{} items wait again\n", DOVETAIL_TRY(queue->retry())));
  return 0;
}

Result<int> runDrop(const DropOptions &options) {
  const std::unique_ptr<WorkQueue> queue = DOVETAIL_TRY(openQueue(options.farm));
  print(fmt::format("{} items dropped\n", DOVETAIL_TRY(queue->drop(options.all))));
  uint64_t parts = 0;
  if (options.parts)
    DOVETAIL_CHECK(forEachKey(queue->redis(), fmt::format("dovetail:part:{}:", queue->build()),
                              [&](const std::vector<std::string> &keys) -> Result<void> {
                                RedisCommand command = {"UNLINK"};
                                command.insert(command.end(), keys.begin(), keys.end());
                                parts += uint64_t(DOVETAIL_TRY(queue->redis().run(command)).integer);
                                return {};
                              }));
  if (options.parts)
    print(fmt::format("{} parts dropped\n", parts));
  return 0;
}

struct SyncOptions {
  FarmChoice farm;
  StoreChoice store;
  std::vector<std::string> gpus = {"gfx900"};
  bool pushes = false, pulls = false, verifies = false;
};

Result<int> runSync(const SyncOptions &options) {
  PartStoreOptions storeOptions = {.path = options.store.folder, .maxBytes = options.store.maxBytes};
  storeOptions.trustFolder = options.store.isTrusted;
  const std::shared_ptr<PartStore> store = DOVETAIL_TRY(PartStore::open(std::move(storeOptions)));
  const std::unique_ptr<WorkQueue> queue = DOVETAIL_TRY(openQueue(options.farm));
  PartExchange exchange(queue->redis(), queue->sealer(), queue->build());
  const bool isBoth = options.pushes == options.pulls;
  SyncCounts pulled, pushed;
  if (options.pulls || isBoth)
    pulled = DOVETAIL_TRY(exchange.pull(*store, options.gpus));
  if (options.pushes || isBoth)
    pushed = DOVETAIL_TRY(exchange.push(*store, options.gpus, options.verifies));
  print(fmt::format("{} parts pulled, {} pushed, {} refused\n", pulled.pulled, pushed.pushed,
                    pulled.refused + pushed.refused));
  return 0;
}

} // namespace

void addTendCommands(CLI::App &farm, Command &chosen) {
  auto retried = std::make_shared<FarmChoice>();
  CLI::App *retry = farm.add_subcommand("retry", "Put dead items back on the queue");
  addFarmOptions(*retry, *retried);
  retry->callback([&chosen, retried] { chosen = [retried] { return runRetry(*retried); }; });

  auto dropped = std::make_shared<DropOptions>();
  CLI::App *drop = farm.add_subcommand("drop", "Forget dead items, or everything");
  addFarmOptions(*drop, dropped->farm);
  drop->add_flag("--all", dropped->all, "forget all items of this build, too");
  drop->add_flag("--parts", dropped->parts, "remove this build's parts from the server, too");
  drop->callback([&chosen, dropped] { chosen = [dropped] { return runDrop(*dropped); }; });

  auto synced = std::make_shared<SyncOptions>();
  CLI::App *sync = farm.add_subcommand("sync", "Copy parts between a part store and the server");
  addFarmOptions(*sync, synced->farm);
  addFilledStoreOptions(*sync, synced->store);
  addGpuOption(*sync, synced->gpus, "GPUs, separated by commas")->capture_default_str();
  sync->add_flag("--push", synced->pushes, "only to the server");
  sync->add_flag("--pull", synced->pulls, "only from the server");
  sync->add_flag("--verify", synced->verifies,
                 "read the values that the server has of the store's parts, and replace those that are not to be used");
  sync->callback([&chosen, synced] { chosen = [synced] { return runSync(*synced); }; });
}

} // namespace dovetail::farm
