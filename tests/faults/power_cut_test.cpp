// SPDX-License-Identifier: MIT
//
// The power goes while parts are written. To kill a process does not show that, since the kernel still writes all that
// it was given. So the test records all operations on the database's files, and makes files as a power cut may leave
// them. In each, the store is whole, and every part is there that had been flushed before.
#include "tests/faults/child.h"
#include "tests/faults/effort.h"
#include "tests/faults/store_folder.h"
#include "tests/faults/test_parts.h"
#include "tests/faults/write_recorder.h"
#include <doctest/doctest.h>
#include <map>

using namespace dovetail;
using namespace dovetail::faults;

namespace {

// Writes parts. Makes files as `cuts` power cuts may leave them in the folders 0, 1, …, and reports for each the range
// of parts that must be there.
std::string writeAndCut(const TemporaryFolder &folder, unsigned cuts, uint64_t seed, bool prunes,
                        const Child::Report &report) {
  std::mt19937_64 random(seed);
  struct Range {
    uint64_t first, end;
  };
  std::map<size_t, Range> flushed; // by the number of steps recorded at that time
  startRecording();
  {
    OpenedStore opened = openStore(folder / "store");
    if (!opened.store)
      return opened.store.error().text;
    PartStore &store = **opened.store;
    Range range = {0, 0};
    flushed[0] = range;
    for (unsigned round = 0; round < 40; ++round) {
      for (uint64_t left = 1 + random() % 24; left > 0; --left)
        store.put(std::make_shared<const Part>(makeTestPart(range.end++)));
      if (prunes && round % 8 == 7) {
        range.first = range.end;
        flushed[recordedSteps()] = range; // prune() may remove any of the parts before
        if (Result<uint64_t> pruned = store.prune(random() % 65536); !pruned)
          return pruned.error().text;
      } else {
        store.flush();
        flushed[recordedSteps()] = range;
      }
    }
  }
  stopRecording();
  const size_t steps = recordedSteps();
  if (steps < 80)
    return fmt::format("only {} steps were recorded", steps);
  for (unsigned cut = 0; cut < cuts; ++cut) {
    const size_t at = random() % (steps + 1);
    writeStore(folder / std::to_string(cut), filesAfterPowerCut(at, random));
    const Range safe = std::prev(flushed.upper_bound(at))->second;
    report(fmt::format("{} {}", safe.first, safe.end));
  }
  return "";
}

void checkCuts(bool prunes) {
  REQUIRE(prepareTestParts() == "");
  uint64_t allSafe = 0;
  for (unsigned run = 0; run < effort(2u, 20u); ++run) {
    TemporaryFolder folder;
    const unsigned cuts = 40;
    std::vector<Numbers> safe;
    Child writer(
        [&](const Child::Report &report) { return writeAndCut(folder, cuts, seed() * 100 + run, prunes, report); });
    std::string line;
    while (writer.readLine(line)) {
      unsigned long first = 0, end = 0;
      REQUIRE(std::sscanf(line.c_str(), "%lu %lu", &first, &end) == 2);
      safe.emplace_back();
      for (uint64_t number = first; number < end; ++number)
        safe.back().push_back(number);
    }
    REQUIRE(writer.wait() == "");
    REQUIRE(safe.size() == cuts);
    for (unsigned cut = 0; cut < cuts; ++cut) {
      CAPTURE(run);
      CAPTURE(cut);
      CHECK(inChild([&] { return checkHealthy(folder / std::to_string(cut), safe[cut], 1000000); }) == "");
      allSafe += safe[cut].size();
    }
  }
  CHECK(allSafe > 0);
}

} // namespace

TEST_CASE("a power cut loses nothing that had been flushed") {
  checkCuts(false);
}

TEST_CASE("a power cut loses nothing that had been flushed where pages are used again") {
  checkCuts(true);
}
