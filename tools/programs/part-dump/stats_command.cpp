// SPDX-License-Identifier: MIT
//
// `part-dump stats` prints the store's content by kind, and how well its parts are shared.
#include "tools/programs/part-dump/commands.h"
#include "tools/programs/part-dump/open_store.h"
#include "tools/programs/part-dump/terminal.h"
#include <algorithm>
#include <map>

namespace dovetail::part_dump {

namespace {

struct Sum {
  uint64_t parts = 0, bytes = 0, codeBytes = 0, hits = 0;
  uint64_t uses = 0, maxUses = 0; // uses by variants: the sum over the parts, and the most of one part

  void add(const StoredPart &stored) {
    ++parts;
    bytes += stored.entry.bytes;
    codeBytes += stored.part->code.size();
    hits += stored.entry.hits;
    uses += stored.entry.variants;
    maxUses = std::max(maxUses, stored.entry.variants);
  }

  std::vector<std::string> row(std::string name) const {
    return {std::move(name),        std::to_string(parts),
            std::to_string(bytes),  std::to_string(codeBytes),
            std::to_string(hits),   parts > 0 ? fmt::format("{:.1f}", double(uses) / double(parts)) : "-",
            std::to_string(maxUses)};
  }
};

Result<int> showStatistics(const std::string &path) {
  std::shared_ptr<PartStore> store = DOVETAIL_TRY(openStore(path));
  std::map<PartKind, Sum> kinds;
  Sum all;
  for (const StoredPart &stored : DOVETAIL_TRY(readParts(*store))) {
    kinds[stored.entry.key.kind].add(stored);
    all.add(stored);
  }
  std::vector<std::vector<std::string>> rows = {{"kind", "parts", "bytes", "code", "hits", "variants", "at most"}};
  for (const auto &[kind, sum] : kinds)
    rows.push_back(sum.row(std::string(toSymbol(kind))));
  rows.push_back(all.row("all"));
  print(printColumns(rows,
                     {Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Right, Align::Right},
                     terminalWidth()));
  print(printWords("variants: how many use a part of this kind, the mean and at most (counted to about 6 %)", 0,
                   terminalWidth()));
  return 0;
}

} // namespace

void addStatsCommand(CLI::App &app, Command &chosen) {
  auto path = std::make_shared<std::string>();
  CLI::App *command = app.add_subcommand("stats", "By kind: parts, bytes, hits, and how many variants share a part");
  command->add_option("STORE", *path, "the folder of the store")->required();
  command->callback([path, &chosen] { chosen = [path] { return showStatistics(*path); }; });
}

} // namespace dovetail::part_dump
