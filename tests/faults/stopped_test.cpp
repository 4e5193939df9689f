// SPDX-License-Identifier: MIT
//
// Processes that are stopped (by a debugger, a batch system, a laptop's lid) or die while they hold the locks of a
// store. The others wait only briefly, and lose nothing.
#include "tests/faults/child.h"
#include "tests/faults/effort.h"
#include "tests/faults/store_folder.h"
#include "tests/faults/test_parts.h"
#include <csignal>
#include <doctest/doctest.h>
#include <filesystem>
#include <random>
#include <sqlite3.h>
#include <thread>

using namespace dovetail;
using namespace dovetail::faults;

namespace {

using Clock = std::chrono::steady_clock;

// Writes one part after the other, from `next` on.
std::string writeForever(const std::string &path, uint64_t next, const Child::Report &report) {
  OpenedStore opened = openStore(path);
  if (!opened.store)
    return opened.store.error().text;
  for (bool isFirst = true;; isFirst = false) {
    for (uint64_t left = 100; left > 0; --left)
      (*opened.store)->put(std::make_shared<const Part>(makeTestPart(next++)));
    (*opened.store)->flush();
    if (isFirst)
      report("begun");
  }
}

// The use of a store of which another process may hold any lock: a defect or "", and the longest time of a draw
// thread's call.
struct Use {
  std::string defect;
  double slowestCall = 0, wholeUse = 0; // seconds
  bool isStored = false;                // its own parts
};

std::string useBeside(const std::string &path, const Child::Report &report) {
  double slowest = 0;
  auto timed = [&](const auto &call) {
    Clock::time_point start = Clock::now();
    call();
    slowest = std::max(slowest, std::chrono::duration<double>(Clock::now() - start).count());
  };
  Clock::time_point start = Clock::now();
  bool isStored = false;
  {
    OpenedStore opened = openStore(path);
    if (!opened.store)
      return "it cannot be opened: " + opened.store.error().text;
    PartStore &store = **opened.store;
    for (uint64_t number = 0; number < 4; ++number) {
      PartRef part;
      timed([&] { part = store.find(testPartKey(number)); });
      if (!part)
        return fmt::format("part {} is not found", number);
      if (std::string difference = differenceOf(*part, makeTestPart(number)); !difference.empty())
        return fmt::format("part {} is served with another {}", number, difference);
      PartRef fresh = std::make_shared<const Part>(makeTestPart(5000 + number));
      timed([&] { store.put(fresh); });
    }
    store.flush();
    const PartStoreStatistics statistics = store.statistics();
    isStored = statistics.dropped == 0;
    if (!statistics.isWritable || !opened.warnings->empty())
      return fmt::format("{} warnings, {}", opened.warnings->size(),
                         statistics.isWritable ? "writable" : "not writable");
  }
  report(fmt::format("{} {} {}", slowest, std::chrono::duration<double>(Clock::now() - start).count(), isStored));
  return "";
}

Use useBeside(const std::string &path) {
  Use use;
  Child user([&](const Child::Report &report) { return useBeside(path, report); });
  std::string line;
  if (user.readLine(line)) {
    std::sscanf(line.c_str(), "%lf %lf", &use.slowestCall, &use.wholeUse);
    use.isStored = line.ends_with("true");
  }
  use.defect = user.wait();
  return use;
}

// Holds SQLite's lock for writing, like a process that was stopped in the middle of a commit.
std::string holdWriteLock(const std::string &path, const Child::Report &report) {
  sqlite3 *database = nullptr;
  if (sqlite3_open((path + "/" + PartStoreFile).c_str(), &database) != SQLITE_OK ||
      sqlite3_exec(database, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) != SQLITE_OK)
    return sqlite3_errmsg(database);
  report("locked");
  for (;;)
    pause();
}

} // namespace

TEST_CASE("nobody waits for a stopped writer for long") {
  REQUIRE(prepareTestParts() == "");
  TemporaryFolder folder;
  const std::string path = folder / "store";
  REQUIRE(inChild([&] { return writeParts(path, {0, 1, 2, 3}); }) == "");
  std::mt19937_64 random(seed());
  unsigned locked = 0;
  double slowestCall = 0, slowestUse = 0;
  for (unsigned round = 0; round < effort(8u, 100u); ++round) {
    CAPTURE(round);
    Child writer(
        [&](const Child::Report &report) { return writeForever(path, 1000000 * (round + uint64_t(1)), report); });
    std::string line;
    REQUIRE(writer.readLine(line));
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 20000));
    writer.signal(SIGSTOP);
    Use use = useBeside(path);
    CHECK(use.defect == "");
    // A draw thread's calls do not wait. Opening and closing wait, but not forever.
    CHECK(use.slowestCall < 1);
    CHECK(use.wholeUse < 30);
    slowestCall = std::max(slowestCall, use.slowestCall);
    slowestUse = std::max(slowestUse, use.wholeUse);
    locked += !use.isStored;
    // The writer wakes up and goes on, or dies at once.
    if (round % 2 == 0) {
      writer.signal(SIGCONT);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    writer.signal(SIGKILL);
    CHECK(writer.wait() == "killed by signal 9 (Killed)");
    CHECK(inChild([&] { return checkHealthy(path, {0, 1, 2, 3}, 100000 + round); }) == "");
  }
  MESSAGE("a stopped writer held the lock ", locked, " times; slowest find or put ", slowestCall * 1000,
          " ms, slowest use from opening to closing ", slowestUse, " s");
}

TEST_CASE("a process that died with the lock for writing locks nobody out") {
  REQUIRE(prepareTestParts() == "");
  TemporaryFolder folder;
  const std::string path = folder / "store";
  REQUIRE(inChild([&] { return writeParts(path, {0, 1, 2, 3}); }) == "");
  for (unsigned round = 0; round < effort(3u, 50u); ++round) {
    CAPTURE(round);
    Child holder([&](const Child::Report &report) { return holdWriteLock(path, report); });
    std::string line;
    REQUIRE(holder.readLine(line));
    holder.signal(SIGKILL);
    CHECK(holder.wait() == "killed by signal 9 (Killed)");
    Use use = useBeside(path);
    CHECK(use.defect == "");
    CHECK(use.isStored);
    CHECK(inChild([&] { return checkHealthy(path, {0, 1, 2, 3}, 100000 + round); }) == "");
  }
}

TEST_CASE("what is put beside a stopped writer is dropped, and stored again when it goes on") {
  REQUIRE(prepareTestParts() == "");
  TemporaryFolder folder;
  const std::string path = folder / "store";
  REQUIRE(inChild([&] { return writeParts(path, {0, 1, 2, 3}); }) == "");
  Child holder([&](const Child::Report &report) { return holdWriteLock(path, report); });
  std::string line;
  REQUIRE(holder.readLine(line));
  holder.signal(SIGSTOP);
  Child user([&](const Child::Report &report) -> std::string {
    OpenedStore opened = openStore(path);
    if (!opened.store)
      return opened.store.error().text;
    PartStore &store = **opened.store;
    const PartRef part = std::make_shared<const Part>(makeTestPart(5000));
    for (unsigned turn = 0; turn < 2; ++turn) {
      store.put(part);
      store.flush();
      report(fmt::format("{} dropped, {}", store.statistics().dropped, store.find(part->key) ? "there" : "missing"));
      while (turn == 0 && !std::filesystem::exists(path + "/go"))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return opened.warnings->empty() ? "" : opened.warnings->front();
  });
  REQUIRE(user.readLine(line));
  CHECK(line == "1 dropped, missing");
  holder.signal(SIGKILL);
  CHECK(holder.wait() == "killed by signal 9 (Killed)");
  folder.write("store/go", "");
  REQUIRE(user.readLine(line));
  CHECK(line == "1 dropped, there");
  CHECK(user.wait() == "");
}

TEST_CASE("killed readers lock nobody out") {
  REQUIRE(prepareTestParts() == "");
  TemporaryFolder folder;
  const std::string path = folder / "store";
  REQUIRE(inChild([&] { return writeParts(path, {0, 1, 2, 3}); }) == "");
  for (unsigned round = 0; round < effort(40u, 1500u); ++round) {
    CAPTURE(round);
    Child reader([&](const Child::Report &report) -> std::string {
      OpenedStore opened = openStore(path, round % 2 == 0);
      if (!opened.store)
        return opened.store.error().text;
      report("open");
      for (;;)
        for (uint64_t number = 0; number < 4; ++number)
          if (!(*opened.store)->find(testPartKey(number)))
            return fmt::format("part {} is not found", number);
    });
    std::string line;
    bool isOpen = reader.readLine(line);
    REQUIRE_MESSAGE(isOpen, reader.wait());
    std::this_thread::sleep_for(std::chrono::microseconds(round * 37 % 2000));
    reader.signal(SIGKILL);
    CHECK(reader.wait() == "killed by signal 9 (Killed)");
  }
  CHECK(inChild([&] { return checkHealthy(path, {0, 1, 2, 3}, 100000); }) == "");
}
