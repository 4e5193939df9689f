// SPDX-License-Identifier: MIT
//
// `part-dump show` prints everything about one part.
#include "parts/kinds/part_description.h"
#include "tools/common/command/options.h"
#include "tools/programs/part-dump/commands.h"
#include "tools/programs/part-dump/open_store.h"
#include "tools/programs/part-dump/part_text.h"
#include "tools/programs/part-dump/terminal.h"
#include <chrono>

namespace dovetail::part_dump {

namespace {

struct ShowOptions {
  std::string store, key, gpu;
};

std::string ago(int64_t time) {
  int64_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return printAge(now - time) + " ago";
}

Result<int> show(const ShowOptions &options) {
  std::shared_ptr<PartStore> store = DOVETAIL_TRY(openStore(options.store));
  StoredPart stored = DOVETAIL_TRY(findPart(*store, options.key));
  const Part &part = *stored.part;
  const std::string gpu = options.gpu.empty() ? stored.entry.gpuName : options.gpu;
  std::vector<std::string> code = DOVETAIL_TRY(codeLines(part, gpu, CodeStyle::Offsets));

  const unsigned width = terminalWidth();
  std::string text = fmt::format("{} {}\n", toSymbol(part.key.kind), part.key.hash.toHex());
  text +=
      printItems({gpu, count(stored.entry.bytes, "byte") + " in the store", count(stored.entry.hits, "hit"),
                  "used by about " + count(stored.entry.variants, "variant"), "made " + ago(stored.entry.created),
                  "last used " + ago(stored.entry.lastUsed), fmt::format("built in {:.0f} us", part.buildMicroseconds)},
                 2, width);
  if (roleOf(part.key.kind) == PartRole::Main)
    text += fmt::format("tier\n  {}\n", toString(part.tier));
  if (const std::string description = partDescription(part); !description.empty())
    text += "made for\n" + printWords(printable(description), 2, width);
  for (const Section &section : describePart(part)) {
    text += section.title + "\n";
    if (section.isList)
      text += printItems(section.lines, 2, width);
    else
      for (const std::string &line : section.lines)
        text += printWords(line, 2, width);
  }
  text += fmt::format("code, {}, {}\n", count(part.code.size(), "byte"), count(part.instructionCount, "instruction"));
  for (const std::string &line : code)
    text += "  " + line + "\n";
  print(text);
  return 0;
}

} // namespace

void addShowCommand(CLI::App &app, Command &chosen) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App *command =
      app.add_subcommand("show", "A part's contract, registers, hazards, relocations, shader and disassembly");
  command->add_option("STORE", options->store, "the folder of the store")->required();
  command->add_option("KEY", options->key, "the part's key, or its first digits")->required();
  addGpuOption(*command, options->gpu, "disassemble for this GPU, not for the one that the part was made for");
  command->callback([options, &chosen] { chosen = [options] { return show(*options); }; });
}

} // namespace dovetail::part_dump
