// SPDX-License-Identifier: MIT
//
// `part-dump verify` and `part-dump prune`.
#include "tools/common/command/options.h"
#include "tools/programs/part-dump/commands.h"
#include "tools/programs/part-dump/open_store.h"
#include "tools/programs/part-dump/terminal.h"

namespace dovetail::part_dump {

namespace {

struct VerifyOptions {
  std::string store;
  bool remove = false;
};

Result<int> verify(const VerifyOptions &options) {
  // Opening with Access::Repair puts a damaged database aside, so verify() would find nothing wrong.
  const bool wasDamaged = options.remove && !openStore(options.store, Access::Read);
  std::shared_ptr<PartStore> store =
      DOVETAIL_TRY(openStore(options.store, options.remove ? Access::Repair : Access::Read));
  PartStore::Verification found = DOVETAIL_TRY(store->verify());
  for (const std::string &defect : found.defects)
    print(defect + "\n");
  print(fmt::format("{} checked, {} damaged{}\n", count(found.entries, "part"), found.damaged,
                    options.remove && found.damaged > 0 ? " and removed" : ""));
  return wasDamaged || found.damaged > 0 || !found.defects.empty() ? 1 : 0;
}

struct PruneOptions {
  std::string store;
  uint64_t maxBytes = 0;
};

Result<int> prune(const PruneOptions &options) {
  std::shared_ptr<PartStore> store = DOVETAIL_TRY(openStore(options.store, Access::Write));
  const uint64_t evicted = DOVETAIL_TRY(store->prune(options.maxBytes));
  const std::vector<PartStoreEntry> left = DOVETAIL_TRY(store->entries());
  uint64_t bytes = 0;
  for (const PartStoreEntry &entry : left)
    bytes += entry.bytes;
  print(fmt::format("{} evicted, {} of {} bytes left\n", count(evicted, "part"), count(left.size(), "part"), bytes));
  return 0;
}

} // namespace

void addVerifyCommand(CLI::App &app, Command &chosen) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App *command = app.add_subcommand("verify", "Checks every part; the exit status is 1 if one is damaged");
  command->add_option("STORE", options->store, "the folder of the store")->required();
  command->add_flag("--remove", options->remove, "remove what is damaged");
  command->callback([options, &chosen] { chosen = [options] { return verify(*options); }; });
}

void addPruneCommand(CLI::App &app, Command &chosen) {
  auto options = std::make_shared<PruneOptions>();
  CLI::App *command = app.add_subcommand("prune", "Evicts what was not used for longest");
  command->add_option("STORE", options->store, "the folder of the store")->required();
  command->add_option("--max-bytes", options->maxBytes, "so many bytes of parts may stay, for example 64M")
      ->required()
      ->transform(CLI::AsSizeValue(false))
      ->transform(wholeNumber()); // CLI11 calls the last transform first
  command->callback([options, &chosen] { chosen = [options] { return prune(*options); }; });
}

} // namespace dovetail::part_dump
