// SPDX-License-Identifier: MIT
//
// `part-dump list` prints a line for each part, as wide as the terminal.
#include "parts/kinds/part_description.h"
#include "tools/common/command/options.h"
#include "tools/programs/part-dump/commands.h"
#include "tools/programs/part-dump/open_store.h"
#include "tools/programs/part-dump/terminal.h"
#include <algorithm>
#include <chrono>
#include <set>

namespace dovetail::part_dump {

namespace {

enum class Order : uint8_t { Key, Bytes, Hits, Age };

struct ListOptions {
  std::string store;
  std::optional<PartKind> kind;
  Order order = Order::Key;
  size_t limit = 0; // 0: no limit
};

int64_t now() {
  return std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
}

// Sorts the largest, most wanted or oldest first. Equal parts stay in the order of their keys.
void sortParts(std::vector<StoredPart> &parts, Order order) {
  auto entryOf = &StoredPart::entry;
  switch (order) {
  case Order::Key:
    break;
  case Order::Bytes:
    std::ranges::stable_sort(parts, std::greater(), [&](const StoredPart &part) { return (part.*entryOf).bytes; });
    break;
  case Order::Hits:
    std::ranges::stable_sort(parts, std::greater(), [&](const StoredPart &part) { return (part.*entryOf).hits; });
    break;
  case Order::Age:
    std::ranges::stable_sort(parts, std::less(), [&](const StoredPart &part) { return (part.*entryOf).created; });
    break;
  }
}

Result<int> list(const ListOptions &options) {
  std::shared_ptr<PartStore> store = DOVETAIL_TRY(openStore(options.store));
  std::vector<StoredPart> parts = DOVETAIL_TRY(readParts(*store, options.kind));
  const size_t all = parts.size(), keyLength = shortKeyLength(parts);
  std::set<std::string> gpus;
  uint64_t bytes = 0;
  for (const StoredPart &stored : parts) {
    gpus.insert(stored.entry.gpuName);
    bytes += stored.entry.bytes;
  }
  sortParts(parts, options.order);
  if (options.limit > 0 && parts.size() > options.limit)
    parts.resize(options.limit);

  const bool showGpu = gpus.size() > 1;
  std::vector<std::string> header = {"kind", "key", "bytes", "sgpr", "vgpr", "hits", "age"};
  std::vector<Align> alignments = {Align::Left,  Align::Left,  Align::Right, Align::Right,
                                   Align::Right, Align::Right, Align::Right};
  if (showGpu) {
    header.push_back("gpu");
    alignments.push_back(Align::Left);
  }
  header.push_back("made for");
  alignments.push_back(Align::Left);

  std::vector<std::vector<std::string>> rows = {header};
  const int64_t time = now();
  for (const StoredPart &stored : parts) {
    const Part &part = *stored.part;
    std::vector<std::string> row = {
        std::string(toSymbol(part.key.kind)),  part.key.hash.toHex().substr(0, keyLength),
        std::to_string(stored.entry.bytes),    std::to_string(part.usage.sgprs),
        std::to_string(part.usage.vgprs),      std::to_string(stored.entry.hits),
        printAge(time - stored.entry.created),
    };
    if (showGpu)
      row.push_back(stored.entry.gpuName);
    row.push_back(printable(partDescription(part)));
    rows.push_back(std::move(row));
  }
  print(printColumns(rows, alignments, terminalWidth()));
  print(parts.size() < all ? fmt::format("{} of {}, {} bytes in all\n", parts.size(), count(all, "part"), bytes)
                           : fmt::format("{}, {} bytes\n", count(all, "part"), bytes));
  return 0;
}

} // namespace

void addListCommand(CLI::App &app, Command &chosen) {
  auto options = std::make_shared<ListOptions>();
  CLI::App *command = app.add_subcommand("list", "A line for each part: kind, key, size, registers, hits, age, words");
  command->add_option("STORE", options->store, "the folder of the store")->required();
  addKindOption(*command, options->kind);
  addChoice<Order>(
      *command, "--sort", {{"bytes", Order::Bytes}, {"hits", Order::Hits}, {"age", Order::Age}},
      [options](Order order) { options->order = order; }, "largest, most wanted or oldest first: bytes, hits or age");
  command->add_option("--limit", options->limit, "so many parts at most")->check(wholeNumber());
  command->callback([options, &chosen] { chosen = [options] { return list(*options); }; });
}

} // namespace dovetail::part_dump
