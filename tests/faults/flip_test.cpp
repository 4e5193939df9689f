// SPDX-License-Identifier: MIT
//
// Damage on disk: bytes are flipped, files are cut off, are copied while they are written, or are not ours. The damage
// happens before the store is opened, or while processes have it open. Nothing crashes, nothing wrong is served, and
// the store can be used afterwards.
#include "tests/faults/child.h"
#include "tests/faults/effort.h"
#include "tests/faults/store_folder.h"
#include "tests/faults/test_parts.h"
#include <algorithm>
#include <csignal>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <set>
#include <thread>
#include <unistd.h>

using namespace dovetail;
using namespace dovetail::faults;

namespace {

constexpr size_t PageBytes = 8192;
const std::string Data = PartStoreFile, Log = Data + "-wal", Shared = Data + "-shm";
using Files = std::map<std::string, std::string>;

Numbers numbersUpTo(uint64_t end) {
  Numbers numbers;
  for (uint64_t number = 0; number < end; ++number)
    numbers.push_back(number);
  return numbers;
}

// The files of a store with some parts, to be damaged again and again. The store was closed, or a killed process left
// it with its last commit still in the write-ahead log. Some entries were removed, so there are free pages.
struct Original {
  Numbers numbers = numbersUpTo(24);
  Files files;

  explicit Original(bool isKilled) {
    REQUIRE(prepareTestParts() == "");
    TemporaryFolder folder;
    const std::string path = folder / "store";
    Child writer([&](const Child::Report &report) -> std::string {
      OpenedStore opened = openStore(path);
      if (!opened.store)
        return opened.store.error().text;
      PartStore &store = **opened.store;
      for (const Numbers &round : {numbersUpTo(60), numbers}) {
        for (uint64_t number : round)
          store.put(std::make_shared<const Part>(makeTestPart(number)));
        store.flush();
        if (&round != &numbers && round.size() > numbers.size() && !store.prune(0))
          return "it cannot be pruned";
      }
      report("written");
      while (isKilled)
        pause();
      return "";
    });
    std::string line;
    REQUIRE(writer.readLine(line));
    if (isKilled)
      writer.signal(SIGKILL);
    REQUIRE(writer.wait() == (isKilled ? "killed by signal 9 (Killed)" : ""));
    files = readStore(path);
    REQUIRE(files[Log].empty() == !isKilled);
    REQUIRE(files[Shared].size() == 32768);
  }
};

// Lets children use damaged stores: every third time a reader first, and always a writer.
struct Survey {
  unsigned cases = 0, whole = 0, partial = 0, empty = 0;

  void check(const Numbers &numbers, const Files &files) {
    TemporaryFolder folder;
    const std::string path = folder / "store";
    writeStore(path, files);
    Child child([&](const Child::Report &report) -> std::string {
      uint64_t found = 0;
      if (cases % 3 == 0) {
        OpenedStore reader = openStore(path, true);
        if (reader.store) {
          if (std::string defect = checkServed(**reader.store, numbers, found); !defect.empty())
            return "to a reader, " + defect;
          (void)(*reader.store)->verify();
        }
      }
      std::string defect = checkUsable(path, numbers, found);
      report(std::to_string(found));
      return defect;
    });
    std::string found;
    const bool hasCounted = child.readLine(found);
    const std::string defect = child.wait();
    CHECK(defect == "");
    ++cases;
    const uint64_t count = hasCounted ? std::stoull(found) : 0;
    ++(count == numbers.size() ? whole : count == 0 ? empty : partial);
  }

  void print(const std::string &what) const {
    MESSAGE(cases, " ", what, ": all parts were there ", whole, " times, some ", partial, " times, none ", empty,
            " times");
  }
};

// Flips bytes of one file: the first `headBytes` bytes of each block of `blockBytes`, and `most` others at random.
Survey flipBytes(const Original &original, const std::string &name, size_t blockBytes, size_t headBytes, size_t most) {
  const std::string &content = original.files.at(name);
  std::set<size_t> offsets;
  for (size_t block = 0; block < content.size(); block += blockBytes)
    for (size_t byte = seed() % 3; byte < headBytes; byte += effort<size_t>(3, 1))
      offsets.insert(std::min(block + byte, content.size() - 1));
  std::mt19937_64 random(seed());
  for (size_t left = most; left > 0; --left)
    offsets.insert(random() % content.size());
  Survey survey;
  for (size_t offset : offsets) {
    CAPTURE(offset);
    Files files = original.files;
    // Flips all bits of the byte, or one.
    files[name][offset] ^= char(random() % 2 == 0 ? 0xff : 1 << random() % 8);
    survey.check(original.numbers, files);
  }
  survey.print("bytes of " + name + " flipped");
  return survey;
}

bool changeInPlace(const std::string &path, std::mt19937_64 &random) {
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  const off_t size = lseek(file, 0, SEEK_END);
  const off_t offset = size > 0 ? off_t(random() % size) / (random() % 2 == 0 ? 1 : 512) : 0;
  char byte = 0;
  const bool isChanged =
      pread(file, &byte, 1, offset) == 1 && pwrite(file, &(byte = char(byte ^ (1 << random() % 8))), 1, offset) == 1;
  close(file);
  return isChanged;
}

// Reads and writes parts in two threads until it is told to end. Then everything must work again.
std::string useUnderDamage(const std::string &path, const Numbers &numbers, const Child::Report &report) {
  OpenedStore opened = openStore(path);
  if (!opened.store)
    return opened.store.error().text;
  PartStore &store = **opened.store;
  const std::string stop = path + "/stop";
  report("open");
  std::thread writer([&] {
    for (uint64_t next = 1000; !std::filesystem::exists(stop); ++next) {
      store.put(std::make_shared<const Part>(makeTestPart(numbers[next % numbers.size()])));
      store.put(std::make_shared<const Part>(makeTestPart(next)));
      store.flush();
    }
  });
  std::string defect;
  uint64_t found;
  while (defect.empty() && !std::filesystem::exists(stop))
    defect = checkServed(store, numbers, found);
  writer.join();
  return defect;
}

} // namespace

TEST_CASE("any byte of the database may be flipped") {
  const Original original(false);
  const Survey survey = flipBytes(original, Data, PageBytes, 24, effort<size_t>(100, 5000));
  CHECK(survey.whole + survey.partial > survey.cases / 8);
}

TEST_CASE("any byte of the write-ahead log may be flipped") {
  const Original original(true);
  flipBytes(original, Log, PageBytes + 24, 24, effort<size_t>(60, 2000));
}

TEST_CASE("any byte of the shared memory that a killed process left may be flipped, and nothing is lost") {
  const Original original(true);
  const Survey survey = flipBytes(original, Shared, 32768, 136, effort<size_t>(20, 500));
  CHECK(survey.whole == survey.cases);
}

TEST_CASE("each of the files may be cut off anywhere") {
  const Original original(true);
  std::mt19937_64 random(seed());
  for (const std::string &name : {Data, Log, Shared}) {
    const size_t size = original.files.at(name).size();
    std::set<size_t> lengths = {0, 1, 31, 32, 99, 100, PageBytes, size - 1};
    for (size_t count = lengths.size() + effort<size_t>(20, 500); lengths.size() < count;)
      lengths.insert(random() % size / (random() % 2 == 0 ? 1 : PageBytes) * (random() % 2 == 0 ? 1 : PageBytes) %
                     size);
    Survey survey;
    for (size_t length : lengths) {
      CAPTURE(name);
      CAPTURE(length);
      Files files = original.files;
      files[name].resize(std::min(length, size));
      survey.check(original.numbers, files);
    }
    survey.print("lengths to which " + name + " was cut");
  }
}

TEST_CASE("pages of the database may be exchanged, emptied, or full of something else") {
  const Original original(false);
  Survey survey;
  std::mt19937_64 random(seed());
  const size_t pages = original.files.at(Data).size() / PageBytes;
  for (unsigned round = 0; round < effort(60u, 1000u); ++round) {
    CAPTURE(round);
    Files files = original.files;
    std::string &data = files[Data];
    const size_t at = random() % pages * PageBytes, other = random() % pages * PageBytes;
    switch (round % 3) {
    case 0: // as a power cut may leave it
      std::fill_n(data.begin() + std::ptrdiff_t(at), PageBytes, 0);
      break;
    case 1:
      data.replace(at, PageBytes, original.files.at(Data), other, PageBytes);
      break;
    case 2:
      for (size_t byte = 0; byte < PageBytes; ++byte)
        data[at + byte] = char(random());
      break;
    }
    survey.check(original.numbers, files);
  }
  survey.print("pages of the database replaced");
}

TEST_CASE("files of different stores, and what is no store at all, may be mixed") {
  const Original closed(false), killed(true);
  std::mt19937_64 random(seed());
  std::string noise(3 * PageBytes, 0);
  std::generate(noise.begin(), noise.end(), [&] { return char(random()); });
  Survey survey;
  for (const std::string &name : {Data, Log, Shared})
    for (const std::string &content :
         {std::string("not a database\n"), std::string(PageBytes, 0), noise, closed.files.at(Data),
          killed.files.at(Log), killed.files.at(Shared), std::string("remove")})
      for (const Files &original : {closed.files, killed.files}) {
        CAPTURE(name);
        Files files = original;
        files[name] = content;
        if (content == "remove")
          files.erase(name);
        survey.check(closed.numbers, files);
      }
  survey.print("stores with a file of something else");
}

TEST_CASE("a copy that was made while the store was written serves nothing wrong") {
  REQUIRE(prepareTestParts() == "");
  TemporaryFolder folder;
  const std::string path = folder / "store";
  Child writer([&](const Child::Report &report) -> std::string {
    OpenedStore opened = openStore(path);
    if (!opened.store)
      return opened.store.error().text;
    for (uint64_t next = 0;; ++next) {
      (*opened.store)->put(std::make_shared<const Part>(makeTestPart(next % 500)));
      if (next % 16 == 0)
        (*opened.store)->flush();
      if (next == 64)
        report("begun");
      if (next % 500 == 499)
        (void)(*opened.store)->prune(0);
    }
  });
  std::string line;
  REQUIRE(writer.readLine(line));
  Survey survey;
  for (unsigned round = 0; round < effort(10u, 200u); ++round) {
    CAPTURE(round);
    survey.check(numbersUpTo(500), readStore(path));
  }
  survey.print("copies of a store made while it was written");
}

TEST_CASE("files may be changed, cut off and copied over while processes read and write them") {
  const Original original(true);
  std::mt19937_64 random(seed());
  for (unsigned round = 0; round < effort(8u, 100u); ++round) {
    CAPTURE(round);
    TemporaryFolder folder;
    const std::string path = folder / "store";
    writeStore(path, original.files);
    std::vector<std::unique_ptr<Child>> users;
    std::string line;
    for (unsigned user = 0; user < 2; ++user) {
      users.push_back(std::make_unique<Child>(
          [&](const Child::Report &report) { return useUnderDamage(path, original.numbers, report); }));
      REQUIRE(users.back()->readLine(line));
    }
    for (unsigned change = 0; change < 20; ++change) {
      // A process that reads the shared memory in the microseconds when it is cut off ends; see docs/part-store.md. So
      // this test only changes it.
      const std::string file = path + "/" + (round % 3 == 0 ? Data : round % 3 == 1 ? Log : Shared);
      switch (round % 3 == 2 ? 0 : random() % 3) {
      case 0:
        changeInPlace(file, random);
        break;
      case 1:
        (void)!truncate(file.c_str(), off_t(random() % 40000));
        break;
      case 2: { // as cp does it
        const int copy = open(file.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
        const std::string &content = original.files.at(std::filesystem::path(file).filename());
        (void)!write(copy, content.data(), content.size());
        close(copy);
      }
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(random() % 20));
    }
    folder.write("store/stop", "");
    for (std::unique_ptr<Child> &user : users)
      CHECK(user->wait() == "");
    uint64_t found;
    CHECK(inChild([&] { return checkUsable(path, original.numbers, found); }) == "");
  }
}
