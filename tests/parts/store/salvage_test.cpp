// SPDX-License-Identifier: MIT
//
// What becomes of the entries of a database that was put aside because of damage: all that are whole are in the new
// one, and none that is not.
#include "parts/store/entry.h"
#include "parts/store/salvage.h"
#include "tests/parts/made_up_parts.h"
#include "tests/parts/store/store_folder.h"
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <unistd.h>

using namespace dovetail;
using namespace dovetail::test;

namespace {

constexpr uint32_t PartCount = 600;
constexpr size_t PageBytes = 4096;
constexpr uint16_t Branch = 1, Leaf = 2;

PartRef storedPart(uint32_t number) {
  return madeUpPart(number, number % 4 * 1500); // with and without pages of their own
}

// A store of which nothing was removed.
FileBytes makeStore(uint32_t first = 0, uint32_t count = PartCount) {
  StoreFolder folder;
  {
    std::shared_ptr<PartStore> store = folder.open();
    for (uint32_t i = 0; i < count; ++i) {
      store->put(storedPart(first + i), "gfx900");
      if (i % 100 == 99)
        store->flush();
    }
    store->flush();
    for (uint32_t i = 0; i < 5; ++i)
      store->find(madeUpKey(first + 7));
  }
  return readFile(folder.data());
}

template <typename T> T read(const FileBytes &bytes, size_t at) {
  T value;
  std::memcpy(&value, &bytes[at], sizeof(value));
  return value;
}

// The offsets of the pages that are in use and of this kind.
std::vector<size_t> pagesInUse(const FileBytes &bytes, uint16_t kind) {
  store::FileView file = {bytes.data(), bytes.size()};
  store::Snapshot snapshot = *store::newestSnapshot(file);
  store::SeenPages seen(snapshot.lastPage + 1);
  store::walk(file, snapshot, snapshot.data, store::KeyOrder::Bytes, {}, seen, {});
  std::vector<size_t> offsets;
  for (size_t page = 2; page < seen.seen.size(); ++page)
    if (seen.seen[page] && read<uint64_t>(bytes, page * PageBytes) == page &&
        read<uint16_t>(bytes, page * PageBytes + 10) == kind)
      offsets.push_back(page * PageBytes);
  return offsets;
}

uint64_t countParts(const FileBytes &bytes, size_t page) {
  uint64_t count = 0;
  store::forEachRecord(
      store::Bytes(bytes).subspan(page, PageBytes), page / PageBytes,
      [&](const store::LeafRecord &record) { count += store::readKey(store::Table::Parts, record.key).has_value(); });
  return count;
}

uint64_t countWhole(PartStore &store, uint32_t first = 0, uint32_t count = PartCount) {
  uint64_t whole = 0;
  for (uint32_t i = 0; i < count; ++i) {
    PartRef part = store.find(madeUpKey(first + i));
    whole += part != nullptr;
    if (part && bytesOf(*part) != bytesOf(*storedPart(first + i)))
      FAIL_CHECK("part " << first + i << " is another one");
  }
  return whole;
}

struct Outcome {
  uint64_t hits = 0;
  PartStoreStatistics statistics;
  std::vector<std::string> warnings;
};

// Opens a store with this file, has the damage found, and says what is there afterwards.
Outcome salvage(const FileBytes &bytes, PartStoreOptions options = {}) {
  StoreFolder folder;
  writeFile(folder.data(), bytes);
  Outcome outcome;
  {
    std::shared_ptr<PartStore> store = folder.open(options);
    static_cast<void>(store->verify());
    store->flush();
    outcome.statistics = store->statistics();
    outcome.hits = countWhole(*store);
  }
  CHECK(outcome.hits == countWhole(*folder.open(options)));
  CHECK_FALSE(std::filesystem::exists(folder.file("data.mdb.salvage")));
  CHECK_FALSE(std::filesystem::exists(folder.file("data.mdb.damaged")));
  outcome.warnings = folder.warnings();
  return outcome;
}

// All bits of one byte.
FileBytes flipped(FileBytes bytes, size_t place) {
  bytes[place] ^= 0xff;
  return bytes;
}

} // namespace

TEST_CASE("a damaged meta page costs no entry") {
  FileBytes good = makeStore();
  for (size_t page : {size_t(0), PageBytes})
    for (size_t field : {10, 16, 20, 40, 144}) { // flags, magic, version, page size, transaction
      CAPTURE(page + field);
      Outcome outcome = salvage(flipped(good, page + field));
      CHECK(outcome.hits == PartCount);
      CHECK(outcome.statistics.salvaged == PartCount);
      CHECK(outcome.statistics.lost == 0);
      CHECK(outcome.statistics.damaged == 1);
      REQUIRE(outcome.warnings.size() == 1);
      CHECK(outcome.warnings[0].find("600 entries were salvaged; 0 were lost") != std::string::npos);
    }
}

TEST_CASE("a damaged branch page costs no entry") {
  FileBytes good = makeStore();
  std::vector<size_t> branches = pagesInUse(good, Branch);
  CHECK(branches.size() >= 3); // more than a root
  for (size_t page : branches)
    for (size_t field : {0, 10, 12, 16}) { // number, flags, lower, the first node's offset
      CAPTURE(page + field);
      Outcome outcome = salvage(flipped(good, page + field));
      CHECK(outcome.hits == PartCount);
      CHECK(outcome.statistics.salvaged == PartCount);
      CHECK(outcome.warnings.size() == 1);
    }
}

TEST_CASE("a damaged leaf page costs the entries that lie on it at most") {
  FileBytes good = makeStore();
  std::vector<size_t> leaves = pagesInUse(good, Leaf);
  REQUIRE(leaves.size() > 100);
  uint64_t lost = 0;
  for (size_t i = 0; i < leaves.size(); i += 7) {
    constexpr size_t Fields[] = {0, 10, 12}; // number, flags, lower
    size_t place = leaves[i] + Fields[i % 3];
    CAPTURE(place);
    Outcome outcome = salvage(flipped(good, place));
    CHECK(outcome.hits >= PartCount - countParts(good, leaves[i]));
    CHECK(outcome.statistics.salvaged == outcome.hits);
    // A leaf of usage costs none, but then nobody knows of those that it spoke of.
    CHECK(outcome.statistics.lost == PartCount - outcome.hits);
    CHECK(outcome.warnings.size() == 1);
    lost += outcome.statistics.lost;
  }
  CHECK(lost > 0);
}

TEST_CASE("a byte that is changed in the middle of an entry costs that one, also while others are salvaged") {
  FileBytes good = makeStore();
  FileBytes bytes = good;
  for (size_t place : findAll(bytes, "part 17"))
    bytes[place] ^= 1; // 17 and 170 … 179
  bytes[16] ^= 1;      // and a meta page
  Outcome outcome = salvage(bytes);
  CHECK(outcome.hits == PartCount - 11);
  CHECK(outcome.statistics.salvaged == PartCount - 11);
  CHECK(outcome.statistics.lost == 11);
}

TEST_CASE("what is cut off is lost, the rest is salvaged") {
  FileBytes bytes = makeStore();
  bytes.resize(bytes.size() / 2 + 100);
  Outcome outcome = salvage(bytes);
  CHECK(outcome.hits > PartCount / 4);
  CHECK(outcome.hits < PartCount);
  CHECK(outcome.statistics.salvaged == outcome.hits);
}

TEST_CASE("salvaged entries keep what is known of their use") {
  StoreFolder folder;
  writeFile(folder.data(), flipped(makeStore(), 16));
  std::shared_ptr<PartStore> store = folder.open();
  store->flush();
  uint64_t entries = 0;
  REQUIRE(store
              ->forEach([&](const PartStoreEntry &entry) {
                ++entries;
                CHECK(entry.hits == (entry.key == madeUpKey(7) ? 5 : 0));
                CHECK(entry.gpuName == "gfx900");
              })
              .has_value());
  CHECK(entries == PartCount);
}

TEST_CASE("a store is used while it is salvaged, and what was put meanwhile stays") {
  StoreFolder folder;
  writeFile(folder.data(), flipped(makeStore(), 16));
  std::shared_ptr<PartStore> store = folder.open();
  for (uint32_t i = 0; i < 50; ++i)
    store->put(i % 2 ? storedPart(i) : storedPart(PartCount + i)); // half of them are in the old one
  store->flush();
  CHECK(countWhole(*store) == PartCount);
  CHECK(countWhole(*store, PartCount, 50) == 25);
  CHECK(store->statistics().entries == PartCount + 25);
  CHECK(store->verify()->defects.empty());
}

TEST_CASE("a store that is closed before all was salvaged goes on when it is opened again") {
  StoreFolder folder;
  writeFile(folder.data(), flipped(makeStore(0, 3000), 16));
  unsigned openings = 0;
  for (uint64_t hits = 0; hits < 3000; ++openings) {
    REQUIRE(openings < 1000);
    std::shared_ptr<PartStore> store = folder.open();
    if (openings == 3)
      store->flush();
    hits = countWhole(*store, 0, 3000);
  }
  CHECK(openings <= 4);
}

TEST_CASE("of a database that is damaged again before the first is salvaged, both are salvaged") {
  StoreFolder folder;
  writeFile(folder.file("data.mdb.salvage"), makeStore(0, 200));
  writeFile(folder.data(), flipped(makeStore(200, 200), 16));
  std::shared_ptr<PartStore> store = folder.open();
  store->flush();
  CHECK(countWhole(*store, 0, 400) == 400);
  CHECK(folder.warnings().size() == 2);
  CHECK_FALSE(std::filesystem::exists(folder.file("data.mdb.salvage")));
  CHECK_FALSE(std::filesystem::exists(folder.file("data.mdb.salvage2")));
}

TEST_CASE("a store whose own files another process has put aside salvages all of them") {
  StoreFolder folder;
  writeFile(folder.data(), makeStore());
  {
    std::shared_ptr<PartStore> store = folder.open();
    store->flush(); // what is begun when a store is opened is done
    REQUIRE(rename(folder.data().c_str(), folder.file("data.mdb.salvage").c_str()) == 0);
    store->flush();
    CHECK(store->statistics().salvaged == PartCount);
    CHECK(countWhole(*store) == PartCount);
  }
  CHECK(countWhole(*folder.open()) == PartCount);
}

TEST_CASE("salvaging keeps to the limit, and what was not used for longest goes") {
  constexpr uint64_t Limit = uint64_t(1) << 20;
  StoreFolder folder;
  writeFile(folder.data(), flipped(makeStore(), 16));
  std::shared_ptr<PartStore> store = folder.open({.maxBytes = Limit});
  store->put(madeUpPart(5000));
  store->flush();
  CHECK(std::filesystem::file_size(folder.data()) <= Limit);
  CHECK(store->statistics().isWritable);
  CHECK(countWhole(*store) > 50);
  CHECK(has(*store, madeUpPart(5000)));
  CHECK(has(*store, storedPart(7))); // it was looked up
  CHECK(store->verify()->defects.empty());
}

TEST_CASE("a meta page that speaks of more pages than there can be is damage, and takes no memory") {
  FileBytes bytes = makeStore();
  for (size_t page : {size_t(0), PageBytes}) {
    uint64_t mapSize = uint64_t(1) << 62, lastPage = uint64_t(1) << 49;
    std::memcpy(&bytes[page + 32], &mapSize, sizeof(mapSize));
    std::memcpy(&bytes[page + 136], &lastPage, sizeof(lastPage));
  }
  CHECK(salvage(bytes).hits == PartCount);
}

// Under AddressSanitizer, this shows that nothing outside of the buffers is read.
TEST_CASE("whatever is in a file, salvaging it ends and gives only what was in it") {
  FileBytes good = makeStore(0, 100);
  std::mt19937 random(1);
  StoreFolder folder;
  uint64_t taken = 0;
  for (unsigned round = 0; round < 300; ++round) {
    FileBytes bytes = good;
    for (unsigned changes = 1 + random() % 2000; changes > 0; --changes) {
      size_t page = random() % (bytes.size() / PageBytes) * PageBytes;
      bytes[page + random() % (random() % 2 ? 100 : PageBytes)] = uint8_t(random());
    }
    if (random() % 10 == 0)
      bytes.resize(random() % bytes.size());
    writeFile(folder.file("garbage"), bytes);
    int file = open(folder.file("garbage").c_str(), O_RDONLY | O_CLOEXEC);
    REQUIRE(file >= 0);
    store::Salvage salvage(file, uint64_t(1) << 30, uint64_t(1) << 26);
    auto nothing = [](const PartKey &) { return false; };
    std::vector<store::SalvagedEntry> found;
    for (unsigned steps = 0; salvage.advance(nothing, 1000, 1 << 22, found); ++steps)
      REQUIRE(steps < 100);
    for (const store::SalvagedEntry &one : found) {
      Result<Part> part = store::decodeEntry(one.key, one.entry);
      REQUIRE(part.has_value());
      uint32_t number = 0;
      while (number < 100 && madeUpKey(number) != one.key)
        ++number;
      REQUIRE(number < 100);
      CHECK(bytesOf(*part) == bytesOf(*storedPart(number)));
    }
    taken += found.size();
    close(file);
  }
  CHECK(taken > 1000);
}
