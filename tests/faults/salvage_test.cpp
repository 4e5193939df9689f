// SPDX-License-Identifier: MIT
//
// Salvaging a damaged database beside other processes and through deaths: whoever finds the damage, however many do so
// at once, and whoever dies meanwhile, in the end all entries but those that were hit are there.
#include "tests/faults/child.h"
#include "tests/faults/effort.h"
#include "tests/faults/store_folder.h"
#include "tests/faults/test_parts.h"
#include "tools/command/write_file.h"
#include <algorithm>
#include <csignal>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <filesystem>
#include <fmt/ranges.h>
#include <random>
#include <thread>
#include <unistd.h>

using namespace dovetail;
using namespace dovetail::faults;

namespace {

constexpr uint64_t PartCount = 800;
constexpr size_t PageBytes = 4096;

Numbers allNumbers() {
  Numbers numbers;
  for (uint64_t number = 0; number < PartCount; ++number)
    numbers.push_back(number);
  return numbers;
}

// The file of a store with all of them.
std::string makeData() {
  TemporaryFolder folder;
  REQUIRE(prepareTestParts() == "");
  REQUIRE(inChild([&] { return writeParts(folder / "store", allNumbers()); }) == "");
  return readWholeFile(folder / "store/data.mdb").value();
}

// The first byte of each page that is a branch: its number.
std::vector<size_t> branchPages(const std::string &data) {
  std::vector<size_t> pages;
  for (size_t page = 2 * PageBytes; page < data.size(); page += PageBytes)
    if (data[page + 10] == 1 && uint8_t(data[page]) == uint8_t(page / PageBytes) && data[page + 11] == 0)
      pages.push_back(page);
  return pages;
}

constexpr size_t MetaByte = 16; // a byte of a meta page that opening a store looks at

// A store with one byte of these data wrong. Returns its path.
std::string writeDamagedStore(TemporaryFolder &folder, std::string data, size_t offset = MetaByte) {
  data[offset] ^= char(0xff);
  folder.write("store/data.mdb", data);
  return folder / "store";
}

// In place, so that whoever has the file mapped sees it.
void flipIn(const std::string &path, size_t offset) {
  int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  char byte = 0;
  CHECK(pread(file, &byte, 1, off_t(offset)) == 1);
  byte = char(~byte);
  CHECK(pwrite(file, &byte, 1, off_t(offset)) == 1);
  close(file);
}

// Uses the store until all parts are found, for a while at most; writes one of its own, too.
std::string useUntilAllThere(const std::string &path, uint64_t fresh, const Child::Report &report) {
  OpenedStore opened = openStore(path);
  if (!opened.store)
    return opened.store.error().text;
  PartStore &store = **opened.store;
  report("open");
  uint64_t found = 0;
  for (std::chrono::steady_clock::time_point end = std::chrono::steady_clock::now() + Patience / 2;;) {
    if (std::string defect = checkServed(store, allNumbers(), found); !defect.empty())
      return defect;
    store.put(std::make_shared<const Part>(makeTestPart(fresh++)));
    store.flush();
    if (!store.statistics().isWritable)
      return opened.warnings->empty() ? "it is off without a warning" : opened.warnings->back();
    if (found == PartCount && store.find(testPartKey(fresh - 1)))
      return "";
    if (std::chrono::steady_clock::now() > end)
      return fmt::format("{} of {} parts are there", found, PartCount);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

void checkNothingIsLeft(const std::string &path) {
  for (const char *name : {"data.mdb.salvage", "data.mdb.salvage2", "data.mdb.damaged"}) {
    CAPTURE(name);
    CHECK_FALSE(std::filesystem::exists(path + "/" + name));
  }
  CHECK(inChild([&] { return checkHealthy(path, allNumbers(), 500000); }) == "");
}

} // namespace

TEST_CASE("processes that open a damaged store at once all get what is whole in it") {
  const std::string data = makeData();
  const std::vector<size_t> branches = branchPages(data);
  REQUIRE(!branches.empty());
  for (unsigned round = 0; round < effort(6u, 100u); ++round) {
    CAPTURE(round);
    TemporaryFolder folder;
    // A meta page is found when the store is opened, a branch when it is read.
    const size_t meta = round / 2 % 2 * PageBytes + MetaByte, branch = branches[round / 2 % branches.size()];
    const std::string path = writeDamagedStore(folder, data, round % 2 == 0 ? meta : branch);
    std::vector<std::unique_ptr<Child>> children;
    for (uint64_t process = 0; process < 4; ++process)
      children.push_back(std::make_unique<Child>([&, process](const Child::Report &report) {
        return useUntilAllThere(path, 1000000 * (process + 1), report);
      }));
    for (std::unique_ptr<Child> &child : children)
      CHECK(child->wait() == "");
    checkNothingIsLeft(path);
  }
}

TEST_CASE("processes that have a store open when it is damaged all go on with what is whole in it") {
  const std::string data = makeData();
  for (unsigned round = 0; round < effort(6u, 100u); ++round) {
    CAPTURE(round);
    TemporaryFolder folder;
    folder.write("store/data.mdb", data);
    const std::string path = folder / "store";
    std::vector<std::unique_ptr<Child>> children;
    for (uint64_t process = 0; process < 4; ++process)
      children.push_back(std::make_unique<Child>([&, process](const Child::Report &report) -> std::string {
        OpenedStore opened = openStore(path);
        if (!opened.store)
          return opened.store.error().text;
        if (process % 2 == 0) // half of them have checked the structure, too
          (*opened.store)->put(std::make_shared<const Part>(makeTestPart(700000 + process)));
        (*opened.store)->flush();
        report("open");
        // Until the damage is there.
        while (!std::filesystem::exists(path + "/go"))
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return useUntilAllThere(path, 1000000 * (process + 1), report);
      }));
    std::string line;
    for (std::unique_ptr<Child> &child : children)
      REQUIRE(child->readLine(line));
    const std::vector<size_t> branches = branchPages(readWholeFile(path + "/data.mdb").value());
    REQUIRE(!branches.empty());
    for (size_t page : branches)
      flipIn(path + "/data.mdb", page);
    folder.write("store/go", "");
    for (std::unique_ptr<Child> &child : children)
      CHECK(child->wait() == "");
    checkNothingIsLeft(path);
  }
}

TEST_CASE("a process that is killed while it salvages loses nothing") {
  const std::string data = makeData();
  std::mt19937_64 random(seed());
  unsigned interrupted = 0, kills = 0;
  for (unsigned round = 0; round < effort(5u, 60u); ++round) {
    CAPTURE(round);
    TemporaryFolder folder;
    const std::string path = writeDamagedStore(folder, data);
    for (unsigned kill = 0; kill < 6; ++kill, ++kills) {
      Child victim([&](const Child::Report &report) -> std::string {
        report("begun");
        OpenedStore opened = openStore(path);
        if (!opened.store)
          return opened.store.error().text;
        (*opened.store)->flush();
        for (;;)
          pause();
      });
      std::string line;
      REQUIRE(victim.readLine(line));
      std::this_thread::sleep_for(std::chrono::microseconds(random() % (5000 + 30000 * kill)));
      victim.signal(SIGKILL);
      CHECK(victim.wait() == "killed by signal 9 (Killed)");
      interrupted += std::filesystem::exists(path + "/data.mdb.salvage");
    }
    CHECK(inChild([&]() -> std::string {
            OpenedStore opened = openStore(path);
            if (!opened.store)
              return opened.store.error().text;
            (*opened.store)->flush();
            return opened.warnings->size() <= 1 ? "" : opened.warnings->back();
          }) == "");
    checkNothingIsLeft(path);
  }
  CHECK(interrupted > 0);
  MESSAGE(kills, " processes killed, ", interrupted, " of them before everything was salvaged");
}

TEST_CASE("a stopped process that salvages keeps nobody from using the store") {
  const std::string data = makeData();
  std::mt19937_64 random(seed());
  for (unsigned round = 0; round < effort(4u, 60u); ++round) {
    CAPTURE(round);
    TemporaryFolder folder;
    const std::string path = writeDamagedStore(folder, data);
    Child stopped([&](const Child::Report &report) -> std::string {
      OpenedStore opened = openStore(path);
      if (!opened.store)
        return opened.store.error().text;
      report("open");
      (*opened.store)->flush();
      for (;;)
        pause();
    });
    std::string line;
    REQUIRE(stopped.readLine(line));
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 15000));
    stopped.signal(SIGSTOP);
    CHECK(inChild([&]() -> std::string {
            OpenedStore opened = openStore(path);
            if (!opened.store)
              return opened.store.error().text;
            uint64_t found;
            std::string defect = checkServed(**opened.store, allNumbers(), found);
            (*opened.store)->put(std::make_shared<const Part>(makeTestPart(900000)));
            (*opened.store)->flush();
            // It may have been stopped with the lock for writing, or before it began to salvage, which is done here
            // then.
            const auto salvages = std::ranges::count_if(*opened.warnings, [](const std::string &text) {
              return text.find("salvaged; 0 were lost") != text.npos;
            });
            const bool isOff = !(*opened.store)->statistics().isWritable;
            if (salvages > 1 || opened.warnings->size() != size_t(salvages) + isOff)
              return fmt::format("{}", fmt::join(*opened.warnings, "; "));
            return defect;
          }) == "");
    stopped.signal(SIGCONT);
    stopped.signal(SIGKILL);
    CHECK(stopped.wait() == "killed by signal 9 (Killed)");
    CHECK(inChild([&]() -> std::string {
            (*openStore(path).store)->flush();
            return "";
          }) == "");
    checkNothingIsLeft(path);
  }
}
