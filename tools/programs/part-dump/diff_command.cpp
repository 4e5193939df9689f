// SPDX-License-Identifier: MIT
//
// `part-dump diff` compares two parts of a store, or two stores.
#include "parts/kinds/part_description.h"
#include "tools/common/command/options.h"
#include "tools/programs/part-dump/commands.h"
#include "tools/programs/part-dump/open_store.h"
#include "tools/programs/part-dump/part_text.h"
#include "tools/programs/part-dump/terminal.h"
#include "tools/programs/part-dump/unified_diff.h"
#include <algorithm>

namespace dovetail::part_dump {

namespace {

struct DiffOptions {
  std::vector<std::string> names; // STORE KEY KEY, or STORE STORE
  std::string gpu;
};

// Splits "attr0 R32.x, attr1 R32.y" into lines, so that a difference shows only the items that differ.
void addWords(std::vector<std::string> &lines, const std::string &words) {
  for (size_t begin = 0; begin < words.size();) {
    size_t end = std::min(words.find(", ", begin), words.size());
    lines.push_back("  " + words.substr(begin, end - begin));
    begin = end + 2;
  }
}

// The text that is compared: one item per line, and no offsets in the code.
Result<std::vector<std::string>> comparableText(const StoredPart &stored, const std::string &gpu) {
  const Part &part = *stored.part;
  std::vector<std::string> lines = {std::string(toString(part.key.kind)), "made for"};
  addWords(lines, printable(partDescription(part)));
  for (const Section &section : describePart(part)) {
    lines.push_back(section.title);
    for (const std::string &line : section.lines)
      // Leave out a relocation's place: the code shows it.
      lines.push_back("  " + (section.title == "relocations" ? line.substr(line.find(' ') + 1) : line));
  }
  lines.push_back("code");
  for (std::string &line : DOVETAIL_TRY(codeLines(part, gpu.empty() ? stored.entry.gpuName : gpu, CodeStyle::Labels)))
    lines.push_back("  " + std::move(line));
  return lines;
}

Result<int> diffParts(const DiffOptions &options) {
  std::shared_ptr<PartStore> store = DOVETAIL_TRY(openStore(options.names[0]));
  StoredPart before = DOVETAIL_TRY(findPart(*store, options.names[1]));
  StoredPart after = DOVETAIL_TRY(findPart(*store, options.names[2]));
  std::vector<std::string> beforeText = DOVETAIL_TRY(comparableText(before, options.gpu));
  std::vector<std::string> afterText = DOVETAIL_TRY(comparableText(after, options.gpu));
  print(unifiedDiff(beforeText, afterText, before.entry.key.hash.toHex(), after.entry.key.hash.toHex()));
  return 0;
}

// Whether the parts of one key are the same in both stores.
bool sameCode(const StoredPart &a, const StoredPart &b) {
  return a.part->code == b.part->code && a.part->constants == b.part->constants;
}

Result<int> diffStores(const DiffOptions &options) {
  std::shared_ptr<PartStore> storeA = DOVETAIL_TRY(openStore(options.names[0]));
  std::shared_ptr<PartStore> storeB = DOVETAIL_TRY(openStore(options.names[1]));
  std::vector<StoredPart> a = DOVETAIL_TRY(readParts(*storeA)), b = DOVETAIL_TRY(readParts(*storeB));
  auto keyOf = [](const StoredPart &stored) { return stored.part->key; };
  std::ranges::sort(a, {}, keyOf);
  std::ranges::sort(b, {}, keyOf);
  std::vector<StoredPart> all = a;
  all.insert(all.end(), b.begin(), b.end());
  std::ranges::sort(all, {}, keyOf);
  all.erase(std::ranges::unique(all, {}, keyOf).begin(), all.end());
  const size_t keyLength = shortKeyLength(all);

  std::vector<std::vector<std::string>> rows;
  uint64_t onlyA = 0, onlyB = 0, different = 0;
  auto add = [&](const char *sign, const StoredPart &stored) {
    rows.push_back({sign, std::string(toSymbol(stored.part->key.kind)),
                    stored.part->key.hash.toHex().substr(0, keyLength), std::to_string(stored.entry.bytes),
                    printable(partDescription(*stored.part))});
  };
  for (auto left = a.begin(), right = b.begin(); left != a.end() || right != b.end();) {
    if (right == b.end() || (left != a.end() && keyOf(*left) < keyOf(*right))) {
      add("-", *left++);
      ++onlyA;
    } else if (left == a.end() || keyOf(*right) < keyOf(*left)) {
      add("+", *right++);
      ++onlyB;
    } else {
      if (!sameCode(*left, *right)) {
        add("!", *left);
        ++different;
      }
      ++left, ++right;
    }
  }
  if (!rows.empty())
    print(printColumns(rows, {Align::Left, Align::Left, Align::Left, Align::Right, Align::Left}, terminalWidth()));
  print(fmt::format("{} only in {} (-), {} only in {} (+), {} in both", count(onlyA, "part"), options.names[0], onlyB,
                    options.names[1], a.size() - onlyA));
  print(different > 0 ? fmt::format(", {} of which differ (!)\n", different) : "\n");
  return 0;
}

Result<int> diff(const DiffOptions &options) {
  return options.names.size() == 2 ? diffStores(options) : diffParts(options);
}

} // namespace

void addDiffCommand(CLI::App &app, Command &chosen) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App *command = app.add_subcommand("diff", "Two parts of a store (STORE KEY KEY), or two stores (STORE STORE)");
  command->add_option("STORE", options->names, "a store and two keys, or two stores")->required()->expected(2, 3);
  addGpuOption(*command, options->gpu, "disassemble for this GPU, not for the one that the parts were made for");
  command->callback([options, &chosen] { chosen = [options] { return diff(*options); }; });
}

} // namespace dovetail::part_dump
