// SPDX-License-Identifier: MIT
//
// Damage on disk: bytes flipped one at a time in every place, files cut off, copied while they are written, or not
// ours. Nothing crashes, nothing wrong is served, and the store can be used afterwards.
#include "parts/store/entry.h"
#include "parts/store/salvage.h"
#include "parts/store/structure_check.h"
#include "tests/faults/child.h"
#include "tests/faults/effort.h"
#include "tests/faults/store_folder.h"
#include "tests/faults/test_parts.h"
#include "tools/command/write_file.h"
#include <algorithm>
#include <csignal>
#include <doctest/doctest.h>
#include <map>
#include <random>
#include <set>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

using namespace dovetail;
using namespace dovetail::faults;

namespace {

constexpr size_t PageBytes = 4096;

Numbers numbersUpTo(uint64_t end) {
  Numbers numbers;
  for (uint64_t number = 0; number < end; ++number)
    numbers.push_back(number);
  return numbers;
}

// A store with some parts, as files, to be damaged again and again. It has pages of all kinds: some entries were
// removed, so there is a free list, and long ones lie in pages of their own.
struct Original {
  TemporaryFolder folder;
  Numbers numbers = numbersUpTo(24);
  std::string data, lock;
  std::vector<uint64_t> partsOnPage; // whose entries lie there, or would if they were not long

  Original() {
    REQUIRE(prepareTestParts() == "");
    const std::string path = folder / "store";
    REQUIRE(inChild([&] { return writeParts(path, numbers); }) == "");
    // Each commit leaves pages behind for the next one.
    for (uint64_t round = 0; round < 4; ++round)
      REQUIRE(inChild([&] { return writeParts(path, {100 + round}); }) == "");
    data = readWholeFile(path + "/data.mdb").value();
    lock = readWholeFile(path + "/lock.mdb").value();
    for (uint64_t round = 0; round < 4; ++round)
      numbers.push_back(100 + round);
    for (size_t page = 0; page < data.size() / PageBytes; ++page) {
      uint64_t &count = partsOnPage.emplace_back();
      store::forEachRecord({reinterpret_cast<const uint8_t *>(&data[page * PageBytes]), PageBytes}, page,
                           [&](const store::LeafRecord &record) {
                             count += store::readKey(store::Table::Parts, record.key).has_value();
                           });
    }
  }

  // How many parts there are at least if the page of this byte is damaged. It may hold a piece of a long one.
  uint64_t without(size_t offset) const {
    return numbers.size() - std::max<uint64_t>(partsOnPage[offset / PageBytes], 1);
  }
};

// Has a damaged store used by a child: first by a reader if `readFirst`, then by a writer.
struct Survey {
  unsigned cases = 0, whole = 0, partial = 0, empty = 0;

  // Returns how many parts survived.
  uint64_t check(const Numbers &numbers, const std::string &data, const std::string *lock, bool readFirst) {
    TemporaryFolder folder;
    folder.write("store/data.mdb", data);
    if (lock)
      folder.write("store/lock.mdb", *lock);
    const std::string path = folder / "store";
    std::string foundText;
    Child child([&](const Child::Report &report) -> std::string {
      uint64_t found = 0;
      if (readFirst) {
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
    bool hasCounted = child.readLine(foundText);
    std::string defect = child.wait();
    CHECK(defect == "");
    ++cases;
    uint64_t found = hasCounted ? std::stoull(foundText) : 0;
    ++(found == numbers.size() ? whole : found == 0 ? empty : partial);
    return found;
  }

  void print(const std::string &what) const {
    MESSAGE(cases, " ", what, ": all parts survived ", whole, " times, some ", partial, " times, none ", empty,
            " times");
  }
};

// The beginning of each meta page, the headers of all pages, and others at random up to so many. 0: every eighth byte,
// beginning with the seed, so that eight seeds are all.
std::vector<size_t> chooseOffsets(size_t fileBytes, size_t most) {
  std::set<size_t> offsets;
  if (most == 0) {
    for (size_t offset = seed() % 8; offset < fileBytes; offset += 8)
      offsets.insert(offset);
  } else {
    for (size_t page = 0; page < 2; ++page)
      for (size_t offset = 0; offset < 152; offset += 4) // one of each field: the page's header, then struct MDB_meta
        offsets.insert(page * PageBytes + offset + seed() % 4);
    for (size_t page = 2; page < fileBytes / PageBytes; ++page)
      for (size_t offset : {0, 8, 10, 12, 14, 16, 18})
        offsets.insert(page * PageBytes + offset);
    std::mt19937_64 random(seed());
    while (offsets.size() < most)
      offsets.insert(random() % fileBytes);
  }
  return {offsets.begin(), offsets.end()};
}

} // namespace

TEST_CASE("any byte of data.mdb may be flipped") {
  Original original;
  Survey survey;
  for (size_t offset : chooseOffsets(original.data.size(), effort<size_t>(400, 0))) {
    CAPTURE(offset);
    std::string data = original.data;
    // All bits of it, or one.
    data[offset] ^= char(offset / 8 % 2 == 0 ? 0xff : 1 << (offset / 16 + seed()) % 8);
    CHECK(survey.check(original.numbers, data, &original.lock, offset % 3 == 0) >= original.without(offset));
  }
  survey.print("bytes of data.mdb flipped");
}

// The same for all bytes, without opening the store each time: what its readers make of the file, and what would be
// salvaged from it.
TEST_CASE("whichever byte of data.mdb is flipped, no reader takes anything wrong from it") {
  Original original;
  std::string data = original.data;
  const int file = memfd_create("data.mdb", MFD_CLOEXEC);
  REQUIRE(write(file, data.data(), data.size()) == ssize_t(data.size()));
  std::map<PartKey, Part> parts;
  for (uint64_t number : original.numbers)
    parts.emplace(testPartKey(number), makeTestPart(number));
  auto isRight = [&](const Result<Part> &part) { return differenceOf(*part, parts.at(part->key)).empty(); };
  const store::FileView view = {reinterpret_cast<const uint8_t *>(data.data()), data.size()};

  unsigned cases = 0, wholeStructures = 0;
  for (size_t offset = seed() % effort<size_t>(17, 1); offset < data.size(); offset += effort<size_t>(17, 1), ++cases) {
    CAPTURE(offset);
    const char before = data[offset];
    data[offset] ^= char(offset / 8 % 2 == 0 ? 0xff : 1 << (offset / 16 + seed()) % 8);
    REQUIRE(pwrite(file, &data[offset], 1, off_t(offset)) == 1);

    const std::optional<store::Snapshot> snapshot = store::newestSnapshot(view);
    const bool isWhole = snapshot && snapshot->lastPage < data.size() / PageBytes &&
                         store::checkStructure(view, *snapshot).defects.empty();
    wholeStructures += isWhole;
    uint64_t found = 0;
    for (const auto &[key, expected] : parts) {
      store::Bytes value;
      if (!snapshot ||
          store::find(view, *snapshot, store::makeKey(store::Table::Parts, key), value) != store::Lookup::Found)
        continue;
      Result<Part> part = store::decodeEntry(key, value);
      found += part.has_value();
      if (part && !isRight(part))
        FAIL_CHECK("a wrong part is found");
    }
    if (isWhole)
      CHECK(found + 1 >= parts.size());

    store::Salvage salvage(file, uint64_t(1) << 30, uint64_t(1) << 26);
    std::vector<store::SalvagedEntry> entries;
    while (salvage.advance([](const PartKey &) { return false; }, 1000, 1 << 24, entries))
      ;
    for (const store::SalvagedEntry &entry : entries) {
      Result<Part> part = store::decodeEntry(entry.key, entry.entry);
      if (!part || !isRight(part))
        FAIL_CHECK("a wrong part is salvaged");
    }
    uint64_t salvaged = uint64_t(std::ranges::count_if(parts, [&](const auto &one) {
      return std::ranges::find(entries, one.first, &store::SalvagedEntry::key) != entries.end();
    }));
    CHECK(salvaged >= original.without(offset));

    data[offset] = before;
    REQUIRE(pwrite(file, &data[offset], 1, off_t(offset)) == 1);
  }
  close(file);
  CHECK(wholeStructures > cases / 2);
  MESSAGE(cases, " of ", data.size(), " bytes flipped, the structure was whole ", wholeStructures, " times");
}

TEST_CASE("any byte of lock.mdb may be flipped") {
  Original original;
  Survey survey;
  // Its structures are at the beginning; what follows is unused places for readers.
  const size_t most = std::min<size_t>(original.lock.size(), effort<size_t>(100, 2 * PageBytes));
  for (size_t offset = 0; offset < most; ++offset) {
    CAPTURE(offset);
    std::string lock = original.lock;
    lock[offset] ^= char(offset % 2 == 0 ? 0xff : 1 << (offset / 2 + seed()) % 8);
    survey.check(original.numbers, original.data, &lock, offset % 3 == 0);
  }
  survey.print("bytes of lock.mdb flipped");
  CHECK(survey.whole == survey.cases);
}

TEST_CASE("data.mdb may be cut off anywhere") {
  Original original;
  Survey survey;
  std::set<size_t> lengths = {
      0, 1, 15, 16, 151, 152, PageBytes - 1, PageBytes, PageBytes + 1, original.data.size() - 1};
  for (size_t length = 0; length < original.data.size(); length += effort<size_t>(4, 1) * PageBytes)
    lengths.insert(length);
  std::mt19937_64 random(seed());
  for (size_t count = lengths.size() + effort<size_t>(30, 1000); lengths.size() < count;)
    lengths.insert(random() % original.data.size());
  for (size_t length : lengths) {
    CAPTURE(length);
    survey.check(original.numbers, original.data.substr(0, length), length % 2 == 0 ? &original.lock : nullptr,
                 length % 3 == 0);
  }
  survey.print("lengths to which data.mdb was cut");
}

TEST_CASE("pages of data.mdb may be exchanged, emptied, or full of something else") {
  Original original;
  Survey survey;
  std::mt19937_64 random(seed());
  const size_t pages = original.data.size() / PageBytes;
  for (unsigned round = 0; round < effort(60u, 500u); ++round) {
    CAPTURE(round);
    std::string data = original.data;
    const size_t at = random() % pages * PageBytes, other = random() % pages * PageBytes;
    switch (round % 4) {
    case 0: // as a power cut may leave it
      std::fill_n(data.begin() + at, PageBytes, 0);
      break;
    case 1:
      data.replace(at, PageBytes, original.data, other, PageBytes);
      break;
    case 2: // likewise, but it looks right until one reads what it says
      data.replace(at + 16, PageBytes - 16, original.data, other + 16, PageBytes - 16);
      break;
    case 3:
      for (size_t byte = 0; byte < PageBytes; ++byte)
        data[at + byte] = char(random());
      break;
    }
    CHECK(survey.check(original.numbers, data, &original.lock, round % 3 == 0) >= original.without(at));
  }
  survey.print("pages of data.mdb replaced");
}

TEST_CASE("what is no store at all is put aside") {
  Original original;
  Survey survey;
  std::string noise(3 * PageBytes, 0);
  std::mt19937_64 random(seed());
  std::generate(noise.begin(), noise.end(), [&] { return char(random()); });
  for (const std::string &data : {std::string("not a database\n"), std::string(PageBytes, 0), noise, original.lock})
    survey.check(original.numbers, data, nullptr, false);
  CHECK(survey.empty == survey.cases);
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
      (*opened.store)->put(std::make_shared<const Part>(makeTestPart(next % 2000)));
      if (next % 16 == 0)
        (*opened.store)->flush();
      if (next == 64)
        report("begun");
      if (next % 2000 == 1999)
        (void)(*opened.store)->prune(0);
    }
  });
  std::string line;
  REQUIRE(writer.readLine(line));
  const Numbers numbers = numbersUpTo(2000);
  Survey survey;
  for (unsigned round = 0; round < effort(10u, 200u); ++round) {
    CAPTURE(round);
    std::string data = readWholeFile(path + "/data.mdb").value();
    survey.check(numbers, data, nullptr, round % 3 == 0);
  }
  survey.print("copies of data.mdb made while it was written");
}
