// SPDX-License-Identifier: MIT
//
// Processes are killed at any moment while they write. The store always opens, nothing in it is wrong, and every part
// is there that a process had flushed before it reported so.
#include "tests/faults/child.h"
#include "tests/faults/effort.h"
#include "tests/faults/store_folder.h"
#include "tests/faults/test_parts.h"
#include <csignal>
#include <doctest/doctest.h>
#include <random>
#include <thread>

using namespace dovetail;
using namespace dovetail::faults;

namespace {

// Writes one part after the other as fast as it can, from `first` on. Reports after each flush how many are safe.
std::string writeForever(const std::string &path, uint64_t first, const Child::Report &report) {
  std::mt19937_64 random(first);
  OpenedStore opened = openStore(path);
  if (!opened.store)
    return opened.store.error().text;
  PartStore &store = **opened.store;
  for (uint64_t next = first;;) {
    for (uint64_t left = 1 + random() % 64; left > 0; --left)
      store.put(std::make_shared<const Part>(makeTestPart(next++)));
    if (random() % 2 == 0)
      continue; // the store's own thread chooses the time
    store.flush();
    if (!store.statistics().isWritable || store.statistics().dropped > 0)
      return opened.warnings->empty() ? "it stopped writing" : opened.warnings->front();
    report(std::to_string(next));
  }
}

// The parts that a writer has reported as safe: [first, end).
struct Safe {
  uint64_t first, end;
};

void readReports(Child &writer, Safe &safe) {
  std::string line;
  while (writer.readLine(line, std::chrono::milliseconds(0)))
    safe.end = std::stoull(line);
}

} // namespace

TEST_CASE("a killed writer loses nothing that it had flushed, and the store stays whole") {
  REQUIRE(prepareTestParts() == "");
  const unsigned kills = effort(20u, 200u);
  constexpr uint64_t Space = 1000000; // part numbers of one writer
  std::mt19937_64 random(seed());
  auto folder = std::make_unique<TemporaryFolder>();
  Numbers safe;
  uint64_t nextSpace = 1, allSafe = 0, killedEarly = 0;
  for (unsigned round = 0; round < kills; ++round) {
    if (safe.size() > 6000) { // a new store now and then, so that a round stays short
      folder = std::make_unique<TemporaryFolder>();
      safe.clear();
    }
    const std::string path = *folder / "store";
    CAPTURE(round);
    Safe first = {Space * nextSpace, Space * nextSpace}, second = {Space * (nextSpace + 1), Space * (nextSpace + 1)};
    nextSpace += 2;
    {
      Child victim([&](const Child::Report &report) { return writeForever(path, first.first, report); });
      // Every other time, another process writes as well and goes on.
      std::unique_ptr<Child> survivor;
      if (round % 2 == 1)
        survivor = std::make_unique<Child>(
            [&](const Child::Report &report) { return writeForever(path, second.first, report); });
      // Most are killed while they write, some while they open the store.
      std::string line;
      if (round % 5 != 4 && victim.readLine(line))
        first.end = std::stoull(line);
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 150000));
      victim.signal(SIGKILL);
      readReports(victim, first);
      CHECK(victim.wait() == "killed by signal 9 (Killed)");
      killedEarly += first.end == first.first;
      if (survivor) {
        const std::string before = line;
        // The other process still makes progress: two more flushes.
        readReports(*survivor, second);
        for (unsigned flushes = 0; flushes < 2; ++flushes) {
          bool getsOn = survivor->readLine(line);
          REQUIRE_MESSAGE(getsOn, survivor->wait());
          second.end = std::stoull(line);
        }
        survivor->signal(SIGKILL);
        readReports(*survivor, second);
        CHECK(survivor->wait() == "killed by signal 9 (Killed)");
      }
    }
    for (const Safe &written : {first, second})
      for (uint64_t number = written.first; number < written.end; ++number)
        safe.push_back(number);
    allSafe += first.end - first.first + second.end - second.first;
    CHECK(inChild([&] { return checkHealthy(path, safe, Space * (nextSpace++) + 1); }) == "");
  }
  CHECK(allSafe > kills);
  MESSAGE(kills, " writers killed, ", killedEarly, " of them before their first flush; ", allSafe,
          " parts were flushed before, all are there");
}
