// SPDX-License-Identifier: MIT
//
// `dovetail archive` makes the read-only files of parts that a game or a distribution ships (parts/store/archive.h),
// and looks into them.
#include "parts/store/archive.h"
#include "parts/store/entry.h"
#include "tools/common/command/open_device.h"
#include "tools/common/command/options.h"
#include "tools/programs/dovetail/commands.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <set>

namespace dovetail {

namespace {

using ArchiveRef = std::shared_ptr<Archive>;

bool isBefore(const PartKey &first, const PartKey &second) {
  return store::rowOf(first) < store::rowOf(second);
}

std::string describe(const ArchiveAbout &about) {
  return fmt::format("{} parts, {} valid modules, GPUs {}, builds {}, digest {}\n", about.parts, about.validModules,
                     fmt::join(about.gpus, " "), fmt::join(about.builds, " "), about.digest);
}

Result<int> finish(ArchiveWriter &writer, const std::string &file) {
  print(fmt::format("{}: {}", file, describe(DOVETAIL_TRY(writer.finish()))));
  return 0;
}

struct MakeOptions {
  std::string file;
  StoreChoice store;
  std::vector<std::string> gpus; // empty: all
};

Result<int> runMake(const MakeOptions &options) {
  PartStoreOptions storeOptions = {.path = options.store.folder, .readOnly = true};
  storeOptions.trustFolder = options.store.isTrusted;
  const std::shared_ptr<PartStore> store = DOVETAIL_TRY(PartStore::open(std::move(storeOptions)));
  uint64_t others = 0;
  const ArchiveAbout about = DOVETAIL_TRY(makeArchive(*store, options.file, options.gpus, &others));
  if (others > 0)
    std::fputs(fmt::format("{} parts of other builds, or damaged ones, were left out\n", others).c_str(), stderr);
  print(fmt::format("{}: {}", options.file, describe(about)));
  return 0;
}

struct ListOptions {
  std::vector<std::string> files;
  bool parts = false, json = false;
};

Result<int> runList(const ListOptions &options) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const std::string &file : options.files) {
    const ArchiveRef archive = DOVETAIL_TRY(Archive::open(file));
    const ArchiveAbout &about = archive->about();
    std::vector<ArchiveEntry> entries;
    if (options.parts)
      entries = DOVETAIL_TRY(archive->entries());
    if (options.json) {
      nlohmann::ordered_json parts = nlohmann::ordered_json::array();
      for (const ArchiveEntry &entry : entries)
        parts.push_back({{"kind", toString(entry.key.kind)},
                         {"key", entry.key.hash.toHex()},
                         {"gpu", entry.gpu},
                         {"build", entry.build},
                         {"bytes", entry.bytes}});
      auto &shown = list.emplace_back();
      shown = {{"file", file},
               {"parts", about.parts},
               {"validModules", about.validModules},
               {"gpus", about.gpus},
               {"builds", about.builds},
               {"digest", about.digest},
               {"entries", std::move(parts)}};
      continue;
    }
    print(fmt::format("{}: {}", file, describe(about)));
    for (const ArchiveEntry &entry : entries)
      print(fmt::format("{:24} {} {:8} {:7}\n", toString(entry.key.kind), entry.key.hash.toHex(), entry.gpu,
                        entry.bytes));
  }
  if (options.json)
    print(list.dump(1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n");
  return 0;
}

Result<int> runVerify(const std::vector<std::string> &files) {
  bool isGood = true;
  for (const std::string &file : files) {
    const ArchiveRef archive = DOVETAIL_TRY(Archive::open(file));
    const std::vector<std::string> defects = DOVETAIL_TRY(archive->verify());
    for (const std::string &defect : defects)
      print(fmt::format("{}: {}\n", file, defect));
    if (defects.empty())
      print(fmt::format("{}: {} parts are good\n", file, archive->about().parts));
    isGood = isGood && defects.empty();
  }
  return isGood ? 0 : 1;
}

// What a difference leaves out.
struct Unwanted {
  std::set<PartKey> parts;
  std::set<spirv::ModuleDigest> validModules;
};

// Writes the parts of these archives, with those of later archives in place of earlier ones. Errors: those of archives;
// InvalidInput for a damaged part.
Result<int> combine(std::vector<ArchiveRef> archives, const Unwanted &unwanted, const std::string &file) {
  struct Place {
    ArchiveEntry entry;
    Archive *archive;
  };
  std::vector<Place> places;
  std::set<spirv::ModuleDigest> valid;
  std::ranges::reverse(archives); // the writer takes the first of equal keys
  for (const ArchiveRef &archive : archives) {
    for (ArchiveEntry &entry : DOVETAIL_TRY(archive->entries()))
      if (!unwanted.parts.contains(entry.key))
        places.push_back({std::move(entry), archive.get()});
    for (const spirv::ModuleDigest &row : DOVETAIL_TRY(archive->validRows()))
      if (!unwanted.validModules.contains(row))
        valid.insert(row);
  }
  std::ranges::stable_sort(places, isBefore, [](const Place &place) { return place.entry.key; });
  const std::unique_ptr<ArchiveWriter> writer = DOVETAIL_TRY(ArchiveWriter::create(file));
  for (const auto &[entry, archive] : places) {
    const std::vector<uint8_t> value = DOVETAIL_TRY(archive->value(entry.key));
    if (!store::hasGoodChecksum(entry.key, value))
      return makeError(ErrorCode::InvalidInput, "archive {}: {} {} is damaged", archive->path(),
                       toString(entry.key.kind), entry.key.hash.toHex());
    DOVETAIL_CHECK(writer->add(entry, value));
  }
  for (const spirv::ModuleDigest &row : valid)
    DOVETAIL_CHECK(writer->addValid(row));
  return finish(*writer, file);
}

struct DiffOptions {
  std::string before, after, file;
};

Result<int> runDiff(const DiffOptions &options) {
  const ArchiveRef before = DOVETAIL_TRY(Archive::open(options.before));
  const ArchiveRef after = DOVETAIL_TRY(Archive::open(options.after));
  std::set<PartKey> old;
  for (const ArchiveEntry &entry : DOVETAIL_TRY(before->entries()))
    old.insert(entry.key);
  Unwanted same;
  size_t changed = 0;
  for (const ArchiveEntry &entry : DOVETAIL_TRY(after->entries()))
    if (!old.contains(entry.key))
      continue;
    else if (DOVETAIL_TRY(before->value(entry.key)) == DOVETAIL_TRY(after->value(entry.key)))
      same.parts.insert(entry.key);
    else
      ++changed;
  const size_t kept = same.parts.size() + changed, added = after->about().parts - kept, gone = old.size() - kept;
  if (options.file.empty()) {
    print(fmt::format("{} parts added, {} changed, {} gone, {} the same\n", added, changed, gone, same.parts.size()));
    return added + changed + gone == 0 ? 0 : 1;
  }
  const std::vector<spirv::ModuleDigest> rows = DOVETAIL_TRY(before->validRows());
  same.validModules = {rows.begin(), rows.end()};
  return combine({after}, same, options.file);
}

struct MergeOptions {
  std::vector<std::string> files;
  std::string file;
};

Result<int> runMerge(const MergeOptions &options) {
  std::vector<ArchiveRef> archives;
  for (const std::string &file : options.files)
    archives.push_back(DOVETAIL_TRY(Archive::open(file)));
  return combine(std::move(archives), {}, options.file);
}

} // namespace

void addArchiveCommand(CLI::App &app, Command &chosen) {
  CLI::App *archive = app.add_subcommand("archive", "Make and look into files of parts that are shipped");
  archive->require_subcommand(1);

  auto make = std::make_shared<MakeOptions>();
  CLI::App *makes = archive->add_subcommand("make", "Make an archive of the parts of a store");
  makes->add_option("FILE", make->file, "the archive")->required()->check(notEmpty());
  addStoreOptions(*makes, make->store);
  makes->get_option("--store")->required();
  addGpuOption(*makes, make->gpus, "GPUs, separated by commas; all that the store has parts for, if not given");
  makes->callback([&chosen, make] { chosen = [make] { return runMake(*make); }; });

  auto list = std::make_shared<ListOptions>();
  CLI::App *lists = archive->add_subcommand("list", "Say what archives have");
  lists->add_option("FILE", list->files, "archives")->required()->check(notEmpty());
  lists->add_flag("--parts", list->parts, "list each part");
  lists->add_flag("--json", list->json, "as JSON");
  lists->callback([&chosen, list] { chosen = [list] { return runList(*list); }; });

  auto files = std::make_shared<std::vector<std::string>>();
  CLI::App *verify = archive->add_subcommand("verify", "Check every part of archives; the exit status tells");
  verify->add_option("FILE", *files, "archives")->required()->check(notEmpty());
  verify->callback([&chosen, files] { chosen = [files] { return runVerify(*files); }; });

  auto diff = std::make_shared<DiffOptions>();
  CLI::App *diffs =
      archive->add_subcommand("diff", "Compare two archives, or make an archive of what NEW has otherwise than OLD");
  diffs->add_option("OLD", diff->before, "an archive")->required()->check(notEmpty());
  diffs->add_option("NEW", diff->after, "an archive")->required()->check(notEmpty());
  diffs
      ->add_option("-o,--output", diff->file,
                   "write the parts that OLD lacks, or has with other bytes, to this archive")
      ->check(notEmpty());
  diffs->callback([&chosen, diff] { chosen = [diff] { return runDiff(*diff); }; });

  auto merge = std::make_shared<MergeOptions>();
  CLI::App *merges =
      archive->add_subcommand("merge", "Make one archive of several; of equal keys, the last file's part counts");
  merges->add_option("FILE", merge->files, "archives")->required()->check(notEmpty());
  merges->add_option("-o,--output", merge->file, "the archive")->required()->check(notEmpty());
  merges->callback([&chosen, merge] { chosen = [merge] { return runMerge(*merge); }; });
}

} // namespace dovetail
