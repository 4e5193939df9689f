// SPDX-License-Identifier: MIT
//
// Whatever is wrong with the files of a store, it gives what was put or nothing, and can be used afterwards.
#include "tests/parts/made_up_parts.h"
#include "tests/parts/store/store_folder.h"

using namespace dovetail;
using namespace dovetail::test;

namespace {

constexpr uint32_t PartCount = 60;

PartRef storedPart(uint32_t number) {
  return madeUpPart(number, number % 4 * 1500); // with and without pages of their own
}

void fill(StoreFolder &folder) {
  std::shared_ptr<PartStore> store = folder.open();
  // Several commits, so that there are freed pages, too.
  for (uint32_t i = 0; i < PartCount; ++i) {
    store->put(storedPart(i));
    if (i % 20 == 19)
      store->flush();
  }
}

// How many parts are still there. Others must be missing, not changed.
unsigned countWhole(PartStore &store) {
  unsigned count = 0;
  for (uint32_t i = 0; i < PartCount; ++i) {
    PartRef part = store.find(madeUpKey(i));
    count += part != nullptr;
    if (part && bytesOf(*part) != bytesOf(*storedPart(i)))
      FAIL_CHECK("part " << i << " is another one");
  }
  return count;
}

// Opens the store, reads all of it, writes to it and reads that.
void checkUsable(StoreFolder &folder) {
  {
    std::shared_ptr<PartStore> store = folder.open();
    countWhole(*store);
    for (uint32_t i = 0; i < PartCount; ++i)
      store->put(storedPart(i));
    store->put(madeUpPart(1000));
    store->flush();
    CHECK(has(*store, madeUpPart(1000)));
    CHECK(store->statistics().isWritable);
  }
  std::shared_ptr<PartStore> store = folder.open();
  CHECK(countWhole(*store) >= PartCount - 1); // one may be damaged, and removed only now
  store->flush();
}

} // namespace

TEST_CASE("a damaged entry is a miss, is removed and counted, and can be put again") {
  StoreFolder folder;
  fill(folder);
  FileBytes bytes = readFile(folder.data());
  for (size_t place : findAll(bytes, "part 17"))
    bytes[place] ^= 1;
  writeFile(folder.data(), bytes);

  std::shared_ptr<PartStore> store = folder.open();
  CHECK_FALSE(store->find(madeUpKey(17)));
  store->flush();
  CHECK(store->statistics().damaged == 1);
  CHECK(store->statistics().entries == PartCount - 1);
  CHECK(countWhole(*store) == PartCount - 1);
  store->put(storedPart(17));
  store->flush();
  CHECK(countWhole(*store) == PartCount);
  CHECK(store->statistics().damaged == 1);
  CHECK(folder.warnings().empty());
}

TEST_CASE("an entry of another format is a miss and is removed") {
  StoreFolder folder;
  folder.open()->put(madeUpPart(1));
  FileBytes bytes = readFile(folder.data());
  std::vector<size_t> places = findAll(bytes, "DVPT");
  REQUIRE(!places.empty());
  for (size_t place : places)
    ++bytes[place + 4]; // the version
  writeFile(folder.data(), bytes);
  std::shared_ptr<PartStore> store = folder.open();
  CHECK_FALSE(store->find(madeUpKey(1)));
  store->flush();
  CHECK(store->statistics().damaged == 1);
  CHECK(store->statistics().entries == 0);
}

TEST_CASE("verifying finds each damaged entry and removes it; in a read-only store it is only counted") {
  StoreFolder folder;
  fill(folder);
  FileBytes bytes = readFile(folder.data());
  for (const char *text : {"part 3", "part 44"}) // part 30 … 39 too
    for (size_t place : findAll(bytes, text))
      bytes[place] ^= 1;
  writeFile(folder.data(), bytes);
  {
    std::shared_ptr<PartStore> store = folder.open({.readOnly = true});
    Result<PartStore::Verification> verification = store->verify();
    REQUIRE(verification.has_value());
    CHECK(verification->entries == PartCount);
    CHECK(verification->damaged == 12);
    CHECK(verification->defects.size() == 12);
  }
  std::shared_ptr<PartStore> store = folder.open();
  CHECK(store->verify()->damaged == 12);
  Result<PartStore::Verification> again = store->verify();
  CHECK(again->entries == PartCount - 12);
  CHECK(again->defects.empty());
}

TEST_CASE("a file that is cut off anywhere does no harm") {
  StoreFolder folder;
  fill(folder);
  FileBytes bytes = readFile(folder.data());
  std::mt19937 random(1);
  std::vector<size_t> lengths = {0, 1, 100, 4095, 4096, 4097, 8191, 8192, 12288, bytes.size() - 1};
  for (unsigned i = 0; i < 30; ++i)
    lengths.push_back(random() % bytes.size());
  for (size_t page = 2; page < bytes.size() / 4096; page += 5)
    lengths.push_back(page * 4096);
  for (size_t length : lengths) {
    CAPTURE(length);
    writeFile(folder.data(), FileBytes(bytes.begin(), bytes.begin() + std::ptrdiff_t(length)));
    checkUsable(folder);
  }
}

TEST_CASE("a byte that is changed anywhere does no harm") {
  StoreFolder folder;
  fill(folder);
  FileBytes good = readFile(folder.data());
  std::mt19937 random(2);
  for (unsigned round = 0; round < 250; ++round) {
    FileBytes bytes = good;
    // Most of the file is code; what LMDB reads is at the pages' starts and ends.
    size_t page = random() % (bytes.size() / 4096) * 4096;
    size_t place = page + (round % 3 == 0 ? random() % 4096 : round % 3 == 1 ? random() % 64 : random() % 160);
    bytes[place] ^= uint8_t(1 << random() % 8);
    CAPTURE(place);
    writeFile(folder.data(), bytes);
    checkUsable(folder);
  }
}

TEST_CASE("every byte of the meta pages may be wrong") {
  StoreFolder folder;
  fill(folder);
  FileBytes good = readFile(folder.data());
  for (size_t page : {0, 4096})
    for (size_t offset = 0; offset < 152; offset += 3) {
      FileBytes bytes = good;
      bytes[page + offset] ^= 0x41;
      CAPTURE(page + offset);
      writeFile(folder.data(), bytes);
      checkUsable(folder);
    }
}

TEST_CASE("a file that is no database is put aside and kept, with one warning") {
  StoreFolder folder;
  FileBytes poem(20000, 'x');
  writeFile(folder.data(), poem);
  std::shared_ptr<PartStore> store = folder.open();
  store->flush();
  CHECK(folder.warnings().size() == 1);
  CHECK(store->statistics().damaged == 1);
  CHECK(readFile(folder.file("data.mdb.damaged")) == poem);
  store->put(madeUpPart(1));
  store->flush();
  CHECK(has(*store, madeUpPart(1)));
}

TEST_CASE("a read-only store that is damaged is an error and stays as it is") {
  StoreFolder folder;
  fill(folder);
  FileBytes bytes = readFile(folder.data());
  bytes[16] ^= 1;
  writeFile(folder.data(), bytes);
  Result<std::shared_ptr<PartStore>> store = folder.tryOpen({.readOnly = true});
  REQUIRE_FALSE(store.has_value());
  CHECK(store.error().text.find("damaged") != std::string::npos);
  CHECK(readFile(folder.data()) == bytes);
}

TEST_CASE("lock files full of garbage do no harm") {
  StoreFolder folder;
  fill(folder);
  std::mt19937 random(3);
  for (size_t length : {0, 1, 100, 8192, 65536, 100000}) {
    FileBytes garbage(length);
    for (uint8_t &byte : garbage)
      byte = uint8_t(random());
    CAPTURE(length);
    writeFile(folder.file("lock.mdb"), garbage);
    writeFile(folder.file("store.lock"), garbage);
    std::shared_ptr<PartStore> store = folder.open();
    CHECK(countWhole(*store) == PartCount);
    store->put(madeUpPart(uint32_t(2000 + length)));
    store->flush();
    CHECK(has(*store, madeUpPart(uint32_t(2000 + length))));
  }
}

TEST_CASE("a store that LMDB finds inconsistent while writing is turned off and takes nobody with it") {
  StoreFolder folder;
  {
    std::shared_ptr<PartStore> store = folder.open();
    for (uint32_t i = 0; i < 300; ++i)
      store->put(madeUpPart(i));
    store->flush(); // the structure is checked, and is good
    // Then every branch has one child only, which LMDB asserts is not so.
    FileBytes bytes = readFile(folder.data());
    for (size_t page = 8192; page < bytes.size(); page += 4096)
      if (bytes[page + 10] == 1) {
        changeByte(folder.data(), page + 12, 18);
        changeByte(folder.data(), page + 13, 0);
      }
    store->put(madeUpPart(1000));
    store->flush();
    CHECK_FALSE(store->statistics().isWritable);
    CHECK(folder.warnings().size() == 1);
    store->put(madeUpPart(1001));
    store->flush();
    CHECK_FALSE(store->find(madeUpKey(1001)));
  }
}
