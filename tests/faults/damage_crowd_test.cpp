// SPDX-License-Identifier: MIT
//
// A database is damaged while several processes use it. However many of them notice at once, one process renames the
// database, once, and all go on with the new one.
#include "tests/faults/child.h"
#include "tests/faults/effort.h"
#include "tests/faults/store_folder.h"
#include "tests/faults/test_parts.h"
#include <doctest/doctest.h>
#include <fcntl.h>
#include <filesystem>
#include <thread>
#include <unistd.h>

using namespace dovetail;
using namespace dovetail::faults;

namespace {

constexpr unsigned Processes = 4;
constexpr uint64_t PartCount = 100;

Numbers allNumbers() {
  Numbers numbers;
  for (uint64_t number = 0; number < PartCount; ++number)
    numbers.push_back(number);
  return numbers;
}

// Puts missing parts until all parts are there, those of the others included. Then reports its number of warnings.
std::string useUntilAllThere(const std::string &path, uint64_t own, bool waits, const Child::Report &report) {
  OpenedStore opened = openStore(path);
  if (!opened.store)
    return opened.store.error().text;
  PartStore &store = **opened.store;
  report("open");
  while (waits && !std::filesystem::exists(path + "/go"))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  Numbers numbers = allNumbers();
  for (unsigned process = 0; process < Processes; ++process)
    numbers.push_back(1000000 + process);
  uint64_t found = 0;
  const auto end = std::chrono::steady_clock::now() + Patience / 2;
  while (std::chrono::steady_clock::now() < end) {
    if (std::string defect = checkServed(store, numbers, found); !defect.empty())
      return defect;
    if (!store.statistics().isWritable)
      return opened.warnings->empty() ? "it is off without a warning" : opened.warnings->back();
    if (found == numbers.size()) {
      report(std::to_string(opened.warnings->size()));
      return "";
    }
    for (uint64_t number : allNumbers())
      if (!store.find(testPartKey(number)))
        store.put(std::make_shared<const Part>(makeTestPart(number)));
    store.put(std::make_shared<const Part>(makeTestPart(1000000 + own)));
    store.flush();
  }
  return fmt::format("{} of {} parts are there", found, numbers.size());
}

// Damages all pages behind the first in place, so that processes that have the file open read the damage.
void damage(const std::string &path) {
  const int file = open((path + "/" + PartStoreFile).c_str(), O_RDWR | O_CLOEXEC);
  const off_t size = lseek(file, 0, SEEK_END);
  const std::vector<char> noise(8192, 'x');
  for (off_t page = 8192; page < size; page += 8192)
    CHECK(pwrite(file, noise.data(), noise.size(), page) == ssize_t(noise.size()));
  close(file);
}

void checkCrowd(bool isDamagedWhileOpen) {
  REQUIRE(prepareTestParts() == "");
  for (unsigned round = 0; round < effort(4u, 60u); ++round) {
    CAPTURE(round);
    TemporaryFolder folder;
    const std::string path = folder / "store";
    REQUIRE(inChild([&] { return writeParts(path, allNumbers()); }) == "");
    if (!isDamagedWhileOpen)
      damage(path);
    std::vector<std::unique_ptr<Child>> children;
    for (unsigned process = 0; process < Processes; ++process)
      children.push_back(std::make_unique<Child>([&, process](const Child::Report &report) {
        return useUntilAllThere(path, process, isDamagedWhileOpen, report);
      }));
    std::string line;
    for (std::unique_ptr<Child> &child : children)
      REQUIRE(child->readLine(line));
    if (isDamagedWhileOpen) {
      damage(path);
      folder.write("store/go", "");
    }
    uint64_t warnings = 0;
    for (std::unique_ptr<Child> &child : children) {
      if (child->readLine(line))
        warnings += std::stoull(line);
      CHECK(child->wait() == "");
    }
    CHECK(warnings == 1); // by the process that renamed it
    CHECK(inChild([&] { return checkHealthy(path, allNumbers(), 500000); }) == "");
  }
}

} // namespace

TEST_CASE("processes that open a damaged store at once all go on with one new one") {
  checkCrowd(false);
}

TEST_CASE("processes that have a store open when it is damaged all go on with one new one") {
  checkCrowd(true);
}
