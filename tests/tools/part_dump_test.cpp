// SPDX-License-Identifier: MIT
//
// `part-dump` as a user runs it, on a store that a device has filled.
#include "parts/store/part_store.h"
#include "tests/faults/test_parts.h"
#include "tests/faults/test_shaders.h"
#include "tests/tools/run_command.h"
#include "tests/tools/temporary_folder.h"
#include "tools/common/command/write_file.h"
#include "tools/programs/part-dump/unified_diff.h"
#include "variants/bind/device.h"
#include <algorithm>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unistd.h>

using namespace dovetail;
using Json = nlohmann::json;

namespace {

Run partDump(const std::string &arguments, unsigned columns = 100) {
  return runCommand(DOVETAIL_PART_DUMP, arguments, "COLUMNS=" + std::to_string(columns) + " ");
}

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  return lines;
}

bool contains(const std::string &text, const std::string &piece) {
  return text.find(piece) != std::string::npos;
}

size_t columnsOf(const std::string &text) {
  return std::ranges::count_if(text, [](char byte) { return (byte & 0xc0) != 0x80; });
}

// The store of a device that built variants of two programs under some states. Filled once for all tests.
struct Filled {
  TemporaryFolder folder;
  std::string path = folder / "store";
  size_t variants = 0;

  Filled() {
    DeviceOptions options;
    options.gpuName = "gfx900";
    options.store.path = path;
    std::unique_ptr<Device> device = Device::create(std::move(options)).value();
    const std::vector<ShaderSet> sets = faults::testShaderSets(2).value();
    for (const ShaderSet &set : sets)
      for (uint64_t number = 0; number < 6; ++number) { // six ways to lay out attributes, one to write colours
        REQUIRE(device->bind(set, faults::testState(set, number)));
        ++variants;
      }
  }
};

const Filled &filled() {
  static Filled store;
  return store;
}

Json exported(const std::string &store) {
  Run run = partDump("export --json " + store);
  REQUIRE_MESSAGE(run.status == 0, run.errors);
  return Json::parse(run.output)["parts"];
}

// A copy that a test may change.
struct Copy : TemporaryFolder {
  std::string store = *this / "store";
  explicit Copy(const std::string &original) { std::filesystem::copy(original, store); }
};

// Changes bits of an exported part's code, in the store's file.
void damageCode(const std::string &store, const Json &part) {
  const std::string hex = part["code"], file = store + "/" + PartStoreFile;
  std::string code, data = readWholeFile(file).value();
  for (size_t at = 0; at + 1 < hex.size() && code.size() < 64; at += 2)
    code += char(std::stoi(hex.substr(at, 2), nullptr, 16));
  size_t changed = 0;
  for (size_t at = 0; (at = data.find(code, at)) != std::string::npos; ++at, ++changed)
    data[at] ^= 1;
  REQUIRE(changed > 0);
  std::ofstream(file, std::ios::binary) << data;
}

// The lines that a command prints. None may be wider than the terminal.
std::vector<std::string> fittingLines(const std::string &command, unsigned width) {
  Run run = partDump(command, width);
  CHECK(run.status == 0);
  std::vector<std::string> lines = linesOf(run.output);
  for (const std::string &line : lines)
    CHECK_MESSAGE(columnsOf(line) <= width, line);
  return lines;
}

} // namespace

TEST_CASE("list has a line for each part, in columns that fit the terminal") {
  const size_t parts = exported(filled().path).size();
  REQUIRE(parts > 10);
  for (unsigned width : {80, 100, 160}) {
    CAPTURE(width);
    std::vector<std::string> lines = fittingLines("list " + filled().path, width);
    REQUIRE(lines.size() == parts + 2); // with header and sum
    CHECK(lines.front().starts_with("kind"));
    CHECK(contains(lines.back(), std::to_string(parts) + " parts"));
  }
  CHECK(contains(partDump("list " + filled().path, 80).output, "…"));
  CHECK_FALSE(contains(partDump("list " + filled().path, 1000).output, "…"));
}

TEST_CASE("in a narrow terminal rows go on in further lines, and nothing is left out") {
  const Json part = exported(filled().path).front();
  for (unsigned width : {24, 40, 60}) {
    CAPTURE(width);
    std::string text;
    for (const std::string &line : fittingLines("list " + filled().path, width))
      text += line + " ";
    for (const char *column : {"kind", "key", "bytes", "sgpr", "vgpr", "hits", "age", "made for"})
      CHECK(contains(text, column));
    CHECK(contains(text, " " + std::to_string(part["bytes"].get<uint64_t>()) + " "));
    CHECK(contains(text, " " + part["madeFor"].get<std::string>().substr(0, 6)));
    fittingLines("stats " + filled().path, width);
  }
  fittingLines("stats " + filled().path, 80);
}

TEST_CASE("show breaks what it says in words, but no line of the code") {
  for (const Json &part : exported(filled().path)) {
    Run run = partDump("show " + filled().path + " " + part["key"].get<std::string>(), 60);
    CHECK(run.status == 0);
    const std::vector<std::string> lines = linesOf(run.output);
    auto code = std::ranges::find_if(lines, [](const std::string &line) { return line.starts_with("code, "); });
    REQUIRE(code != lines.end());
    for (auto line = lines.begin(); line != code; ++line)
      CHECK_MESSAGE(columnsOf(*line) <= 60, *line);
    CHECK(size_t(lines.end() - code - 1) == part["disassembly"].size());
  }
}

TEST_CASE("names with control characters do not reach the terminal") {
  TemporaryFolder folder;
  PartStoreOptions options;
  options.path = folder / "store";
  std::shared_ptr<PartStore> store = PartStore::open(options).value();
  Part part = faults::makeTestPart(1);
  part.description = "made for \x1b[2J\n\tall";
  store->put(std::make_shared<const Part>(part), "gfx900");
  store->flush();
  CHECK(contains(partDump("list " + options.path).output, "made for ?[2J??all\n"));
}

TEST_CASE("help is text") {
  for (const char *command : {"", "list ", "show ", "stats ", "verify ", "prune ", "export ", "diff "}) {
    Run run = partDump(std::string(command) + "--help");
    CHECK(run.status == 0);
    CHECK(std::ranges::none_of(run.output, [](unsigned char letter) { return letter < ' ' && letter != '\n'; }));
  }
}

TEST_CASE("part-dump says its version, and what a misspelt subcommand may mean") {
  CHECK(partDump("--version").output.starts_with("part-dump 0.2.0 (LLVM "));
  checkError(partDump("lsit " + filled().path), "did you mean \"list\"?");
}

TEST_CASE("list can be limited to a kind, sorted and cut") {
  Run epilogs = partDump("list --kind fragment_epilog " + filled().path);
  CHECK(epilogs.status == 0);
  CHECK(contains(epilogs.output, "fragment_epilog"));
  CHECK_FALSE(contains(epilogs.output, "vertex_prolog"));
  checkError(partDump("list --kind nonsense " + filled().path), "\"nonsense\" is none of compute_main, ");
  checkError(partDump("list --limit -1 " + filled().path), "-1");

  std::vector<std::string> lines = linesOf(partDump("list --sort bytes --limit 3 " + filled().path).output);
  REQUIRE(lines.size() == 5);
  std::vector<uint64_t> bytes;
  for (size_t line = 1; line <= 3; ++line) {
    std::istringstream columns(lines[line]);
    std::string kind, key;
    uint64_t size = 0;
    columns >> kind >> key >> size;
    bytes.push_back(size);
  }
  CHECK(std::ranges::is_sorted(bytes, std::greater()));
  uint64_t largest = 0;
  for (const Json &part : exported(filled().path))
    largest = std::max(largest, part["bytes"].get<uint64_t>());
  CHECK(bytes.front() == largest);
  CHECK(partDump("list --sort hits " + filled().path).status == 0);
  CHECK(partDump("list --sort age " + filled().path).status == 0);
  checkError(partDump("list --sort color " + filled().path), "color");
}

TEST_CASE("show says all about a part") {
  bool hasShownProlog = false, hasShownMain = false;
  for (const Json &part : exported(filled().path)) {
    const std::string key = part["key"], kind = part["kind"];
    Run run = partDump("show " + filled().path + " " + key.substr(0, 12));
    REQUIRE_MESSAGE(run.status == 0, run.errors);
    CHECK(contains(run.output, kind + " " + key));
    CHECK(contains(run.output, "gfx900"));
    for (const char *title : {"\ntakes\n", "\ngives\n", "\nuses\n", "\nhazards\n", "\ncode, "})
      CHECK(contains(run.output, title));
    for (const std::string line : part["disassembly"])
      CHECK(contains(run.output, "  " + line + "\n"));
    if (kind == "vertex_prolog") {
      hasShownProlog = true;
      CHECK(contains(run.output, "v4 attr"));
      CHECK(contains(run.output, "\nkeeps\n"));
      CHECK(contains(run.output, "buffer_load"));
    } else if (kind == "vertex_main") {
      hasShownMain = true;
      CHECK(contains(run.output, "  runs as vs\n"));
      CHECK(contains(run.output, "  attributes 0."));
    }
  }
  CHECK(hasShownProlog);
  CHECK(hasShownMain);
}

TEST_CASE("a key that is not one, is none's or is many parts' is refused") {
  checkError(partDump("show " + filled().path + " xyz"), "xyz");
  checkError(partDump("show " + filled().path + " 00000000000000000000000000000000"), "no part");
  // Of more than 16 keys, two begin with the same digit.
  std::map<char, std::vector<std::string>> keys;
  for (const Json &part : exported(filled().path))
    keys[part["key"].get<std::string>()[0]].push_back(part["key"]);
  for (const auto &[digit, list] : keys) {
    if (list.size() == 1)
      continue;
    Run run = partDump("show " + filled().path + " " + digit);
    checkError(run, std::to_string(list.size()) + " keys");
    for (size_t index = 0; index < std::min<size_t>(list.size(), 8); ++index)
      CHECK(contains(run.errors, list[index]));
    return;
  }
  FAIL("no two keys begin with the same digit");
}

TEST_CASE("stats counts by kind, and how many variants use each part") {
  std::map<std::string, uint64_t> parts, maxVariants;
  for (const Json &part : exported(filled().path)) {
    ++parts[part["kind"]];
    uint64_t &most = maxVariants[part["kind"]];
    most = std::max(most, part["variants"].get<uint64_t>());
  }
  // Each fragment main part is in all variants of its program. The count may have a small error.
  CHECK(maxVariants["fragment_main"] >= filled().variants / 2 - 1);
  CHECK(maxVariants["fragment_main"] <= filled().variants / 2 + 1);

  Run run = partDump("stats " + filled().path);
  CHECK(run.status == 0);
  for (const std::string &line : linesOf(run.output)) {
    std::istringstream columns(line);
    std::string kind, mean;
    uint64_t count = 0, bytes = 0, code = 0, hits = 0, most = 0;
    columns >> kind >> count >> bytes >> code >> hits >> mean >> most;
    if (!parts.contains(kind))
      continue;
    CHECK(count == parts[kind]);
    CHECK(most == maxVariants[kind]);
    parts.erase(kind);
  }
  CHECK(parts.empty());
}

TEST_CASE("export holds the code of each part, and is the same in a file") {
  for (const Json &part : exported(filled().path)) {
    const std::string code = part["code"];
    CHECK(code.size() % 8 == 0);
    CHECK(code.find_first_not_of("0123456789abcdef") == std::string::npos);
    CHECK(part["gpu"] == "gfx900");
    CHECK(part["instructions"].get<size_t>() > 0);
    CHECK(part["usage"].contains("vgprs"));
  }
  TemporaryFolder folder;
  const std::string file = folder / "store.json";
  Run run = partDump("export --json -o " + file + " " + filled().path);
  CHECK(run.status == 0);
  CHECK(run.output.empty());
  CHECK(Json::parse(readWholeFile(file).value())["parts"] == exported(filled().path));
  checkError(partDump("export --json -o " + (folder / "none/x") + " " + filled().path), folder / "none/x");
}

TEST_CASE("an export that finds no room leaves no file, or the one that was there") {
  TemporaryFolder folder;
  // Stands for a full disk. SQLite's shared memory fits (32 KiB), the export does not.
  const std::string limited = "trap '' XFSZ; ulimit -f 72; ";
  checkError(runCommand(DOVETAIL_PART_DUMP, "export --json -o " + (folder / "a") + " " + filled().path, limited),
             folder / "a");
  CHECK(folder.size() == 0);
  const std::string old = folder.write("b", "old");
  checkError(runCommand(DOVETAIL_PART_DUMP, "export --json -o " + old + " " + filled().path, limited), old);
  CHECK(readWholeFile(old).value() == "old");
  CHECK(folder.size() == 1);
  CHECK(partDump("export --json " + filled().path + " > /dev/full").status == 1);
}

TEST_CASE("verify finds a damaged part, names it, and removes it if told to") {
  Copy copy(filled().path);
  Run good = partDump("verify " + copy.store);
  CHECK(good.status == 0);
  CHECK(contains(good.output, " 0 damaged"));
  const Json part = exported(copy.store).back();
  damageCode(copy.store, part);

  const size_t before = linesOf(partDump("list " + copy.store).output).size();
  for (const char *option : {"", "--remove "}) {
    Run bad = partDump(std::string("verify ") + option + copy.store);
    CHECK(bad.status == 1);
    CHECK(contains(bad.output, part["key"]));
    CHECK(contains(bad.output, "checksum"));
  }
  CHECK(partDump("verify " + copy.store).status == 0);
  CHECK(linesOf(partDump("list " + copy.store).output).size() == before);
}

TEST_CASE("what is damaged is left out of lists and exports, with a warning") {
  Copy copy(filled().path);
  const Json parts = exported(copy.store);
  damageCode(copy.store, parts.back());
  for (const char *command : {"list ", "stats ", "export --json "}) {
    Run run = partDump(command + copy.store);
    CHECK(run.status == 0);
    CHECK(run.errors == "part-dump: warning: 1 damaged part left out, see part-dump verify\n");
  }
  CHECK(exported(copy.store).size() == parts.size() - 1);
  checkError(partDump("show " + copy.store + " " + parts.back()["key"].get<std::string>()), parts.back()["key"]);
}

TEST_CASE("a damaged database is put aside only by verify --remove") {
  TemporaryFolder folder;
  Copy copy(filled().path);
  std::filesystem::resize_file(copy.store + "/" + PartStoreFile, 20000);
  folder.write(PartStoreFile, std::string(20000, 'x')); // not one of our databases
  for (const std::string &store : {copy.store, folder.path().string()}) {
    const std::string file = store + "/" + PartStoreFile, data = readWholeFile(file).value();
    for (const char *command : {"list ", "stats ", "export --json ", "prune --max-bytes 0 "})
      checkError(partDump(command + store), store);
    CHECK(partDump("verify " + store).status == 1);
    CHECK(readWholeFile(file).value() == data);
    Run run = partDump("verify --remove " + store);
    CHECK(run.status == 1);
    CHECK(run.errors.starts_with("part-dump: warning: part store: " + std::filesystem::canonical(file).string()));
    CHECK(readWholeFile(file + ".damaged").value() == data);
    CHECK(partDump("verify --remove " + store).status == 0);
  }
}

TEST_CASE("a store that nobody may write to can be looked at") {
  Copy copy(filled().path);
  // root ignores permissions. So, if this is root, another user runs a copy of the tool in a place that the other user
  // can reach.
  const std::string tool = copy / "part-dump", nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups ";
  std::filesystem::copy_file(DOVETAIL_PART_DUMP, tool);
  using enum std::filesystem::perms;
  for (const auto &entry : std::filesystem::directory_iterator(copy.store))
    std::filesystem::permissions(entry.path(), owner_read | group_read | others_read);
  for (const std::filesystem::path &path : {std::filesystem::path(copy.store), copy.path()})
    std::filesystem::permissions(path, owner_read | owner_exec | others_read | others_exec);
  auto run = [&](const std::string &arguments) { return runCommand(tool, arguments, getuid() == 0 ? nobody : ""); };
  CHECK(contains(run("list " + copy.store).output, "\n" + std::to_string(exported(filled().path).size()) + " parts, "));
  CHECK(run("verify " + copy.store).status == 0);
  checkError(run("prune --max-bytes 0 " + copy.store), copy.store);
  checkError(run("export --json -o " + copy.store + "/x " + copy.store), copy.store + "/x: Permission denied");
  for (const std::filesystem::path &path : {copy.path(), std::filesystem::path(copy.store)})
    std::filesystem::permissions(path, owner_all);
}

TEST_CASE("prune leaves what fits") {
  Copy copy(filled().path);
  auto bytes = [&] {
    uint64_t sum = 0;
    for (const Json &part : exported(copy.store))
      sum += part["bytes"].get<uint64_t>();
    return sum;
  };
  const uint64_t before = bytes();
  CHECK(partDump("prune --max-bytes 64M " + copy.store).output.starts_with("0 parts evicted"));
  CHECK(bytes() == before);
  REQUIRE(before > 6 * 1024);
  CHECK(partDump("prune --max-bytes 6K " + copy.store).status == 0);
  CHECK(bytes() <= 6 * 1024);
  CHECK(bytes() > 0);
  CHECK(partDump("prune --max-bytes 0 " + copy.store).status == 0);
  CHECK(exported(copy.store).empty());
  checkError(partDump("prune --max-bytes much " + copy.store), "much");
  checkError(partDump("prune --max-bytes -1 " + copy.store), "-1");
  checkError(partDump("prune " + copy.store), "--max-bytes");
}

TEST_CASE("diff shows what is different about two parts") {
  std::vector<std::string> prologs;
  for (const Json &part : exported(filled().path))
    if (part["kind"] == "vertex_prolog")
      prologs.push_back(part["key"]);
  REQUIRE(prologs.size() >= 2);
  Run run = partDump("diff " + filled().path + " " + prologs[0] + " " + prologs[1]);
  CHECK(run.status == 0);
  CHECK(run.output.starts_with("--- " + prologs[0] + "\n+++ " + prologs[1] + "\n@@ -"));
  CHECK(contains(run.output, "\n-  "));
  CHECK(contains(run.output, "\n+  "));
  Run same = partDump("diff " + filled().path + " " + prologs[0] + " " + prologs[0]);
  CHECK(same.status == 0);
  CHECK(same.output.empty());
}

TEST_CASE("diff shows which parts only one of two stores has") {
  Copy copy(filled().path);
  const size_t all = exported(filled().path).size();
  CHECK(
      contains(partDump("diff " + filled().path + " " + copy.store).output,
               "0 parts only in " + filled().path + " (-), 0 only in " + copy.store + " (+), " + std::to_string(all)));
  REQUIRE(partDump("prune --max-bytes 6K " + copy.store).status == 0);
  const size_t gone = all - exported(copy.store).size();
  Run run = partDump("diff " + filled().path + " " + copy.store);
  CHECK(run.status == 0);
  CHECK(size_t(std::ranges::count_if(linesOf(run.output),
                                     [](const std::string &line) { return line.starts_with("- "); })) == gone);
}

TEST_CASE("a store that is in use can be looked at, and looking counts no hits") {
  TemporaryFolder folder;
  PartStoreOptions options;
  options.path = folder / "store";
  std::shared_ptr<PartStore> store = PartStore::open(options).value();
  store->put(std::make_shared<const Part>(faults::makeTestPart(1)), "gfx900");
  store->flush();
  for (unsigned round = 0; round < 2; ++round) {
    Json parts = exported(options.path);
    REQUIRE(parts.size() == 1);
    CHECK(parts[0]["hits"] == 0);
  }
  CHECK(partDump("verify " + options.path).status == 0);
  CHECK(partDump("prune --max-bytes 0 " + options.path).status == 0);
  CHECK(store->find(faults::testPartKey(1)) == nullptr);
}

TEST_CASE("what is no store is an Error that names it, and none is made") {
  TemporaryFolder folder;
  for (const char *command : {"list ", "stats ", "verify ", "prune --max-bytes 1 ", "export --json "}) {
    CAPTURE(command);
    checkError(partDump(command + folder.path().string()), folder.path().string());
    checkError(partDump(command + (folder / "none")), folder / "none");
  }
  checkError(partDump("show " + (folder / "none") + " 1"), folder / "none");
  checkError(partDump("diff " + filled().path + " " + (folder / "none")), folder / "none");
  CHECK(folder.size() == 0);
  folder.write(std::string("text/") + PartStoreFile, "this is no database, whatever its name says\n");
  checkError(partDump("list " + (folder / "text")), folder / "text");
  CHECK(readWholeFile(folder / "text" + "/" + PartStoreFile).value().starts_with("this"));
}

TEST_CASE("a unified diff is what diff -u writes") {
  using part_dump::unifiedDiff;
  const std::vector<std::string> a = {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14"};
  CHECK(unifiedDiff(a, a, "a", "b") == "");
  std::vector<std::string> b = a;
  b[4] = "five";
  CHECK(unifiedDiff(a, b, "a", "b") == "--- a\n+++ b\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
  b = a;
  b.insert(b.begin(), "0");
  b.pop_back();
  CHECK(unifiedDiff(a, b, "a", "b") ==
        "--- a\n+++ b\n@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -11,4 +12,3 @@\n 11\n 12\n 13\n-14\n");
  CHECK(unifiedDiff({}, {"x"}, "a", "b") == "--- a\n+++ b\n@@ -0,0 +1 @@\n+x\n");
  CHECK(unifiedDiff({"x", "y"}, {}, "a", "b") == "--- a\n+++ b\n@@ -1,2 +0,0 @@\n-x\n-y\n");
}
