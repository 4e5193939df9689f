// SPDX-License-Identifier: MIT
//
// Whatever is wrong with the files of a store, the store gives the part that was put, or nothing. Afterwards it can be
// used.
#include "tests/parts/made_up_parts.h"
#include "tests/parts/store/store_folder.h"
#include <fcntl.h>

using namespace dovetail;
using namespace dovetail::test;

namespace {

constexpr uint32_t PartCount = 60;
constexpr size_t PageBytes = 8192;

PartRef storedPart(uint32_t number) {
  return madeUpPart(number, number % 4 * 1500); // on one page or several
}

void fill(StoreFolder &folder) {
  std::shared_ptr<PartStore> store = folder.open();
  for (uint32_t i = 0; i < PartCount; ++i) {
    store->put(storedPart(i));
    if (i % 20 == 19)
      store->flush();
  }
}

// The number of parts that are still there. The others must be missing, and none may be changed.
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

// Opens the store, reads all of it, writes to it and reads the new part. A later round may find more damage; in the end
// every part is there.
void checkUsable(StoreFolder &folder) {
  for (unsigned opening = 0; opening < 4; ++opening) {
    std::shared_ptr<PartStore> store = folder.open();
    const unsigned count = countWhole(*store);
    for (uint32_t i = 0; i < PartCount; ++i)
      store->put(storedPart(i));
    store->flush();
    store->put(madeUpPart(1000 + opening));
    store->flush();
    CHECK(has(*store, madeUpPart(1000 + opening)));
    CHECK(store->statistics().isWritable);
    if (count == PartCount)
      return;
  }
  FAIL_CHECK("parts are lost again and again");
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

TEST_CASE("verifying finds each damaged entry and removes it; in a read-only store it is only counted") {
  StoreFolder folder;
  fill(folder);
  FileBytes bytes = readFile(folder.data());
  for (const char *text : {"part 3", "part 44"}) // also finds parts 30 … 39
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
  CHECK(folder.warnings().empty());
}

TEST_CASE("a damaged tree is found by verifying; the database is renamed once, with one warning") {
  StoreFolder folder;
  fill(folder);
  FileBytes bytes = readFile(folder.data());
  std::fill(bytes.begin() + PageBytes, bytes.end(), 0);
  writeFile(folder.data(), bytes);
  std::shared_ptr<PartStore> store = folder.open();
  CHECK_FALSE(store->verify()->defects.empty());
  CHECK(store->verify()->defects.empty());
  CHECK(readFile(folder.file("parts-4.sqlite.damaged")) == bytes);
  CHECK(store->statistics().damaged == 1);
  REQUIRE(folder.warnings().size() == 1);
  CHECK(folder.warnings()[0].find("it was renamed and a new one begun") != std::string::npos);
  store->put(madeUpPart(1));
  store->flush();
  CHECK(has(*store, madeUpPart(1)));
}

TEST_CASE("a database that is damaged again takes the place of the one that was renamed") {
  StoreFolder folder;
  for (uint8_t byte : {'x', 'y'}) {
    writeFile(folder.data(), FileBytes(20000, byte));
    folder.open()->put(madeUpPart(byte));
    CHECK(readFile(folder.file("parts-4.sqlite.damaged")) == FileBytes(20000, byte));
    CHECK(has(*folder.open(), madeUpPart(byte)));
  }
  CHECK(folder.warnings().size() == 2);
}

TEST_CASE("a database with other tables is none of ours") {
  StoreFolder folder;
  folder.open()->put(madeUpPart(1));
  FileBytes bytes = readFile(folder.data());
  for (size_t place : findAll(bytes, "value BLOB"))
    bytes[place] = 'w'; // SQLite accepts another column name
  writeFile(folder.data(), bytes);
  CHECK_FALSE(folder.open()->find(madeUpKey(1)));
  REQUIRE(folder.warnings().size() == 1);
  CHECK(folder.warnings()[0].find("no such column") != std::string::npos);
}

TEST_CASE("a file that is cut off anywhere does no harm") {
  StoreFolder folder;
  fill(folder);
  FileBytes bytes = readFile(folder.data());
  std::mt19937 random(1);
  std::vector<size_t> lengths = {0, 1, 99, 100, PageBytes - 1, PageBytes, PageBytes + 1, bytes.size() - 1};
  for (unsigned i = 0; i < 30; ++i)
    lengths.push_back(random() % bytes.size());
  for (size_t page = 2; page < bytes.size() / PageBytes; ++page)
    lengths.push_back(page * PageBytes);
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
    // Most of the file is code. SQLite's own data is at the starts of pages.
    size_t page = random() % (bytes.size() / PageBytes) * PageBytes;
    size_t place = page + (round % 3 == 0 ? random() % PageBytes : round % 3 == 1 ? random() % 64 : random() % 160);
    bytes[place] ^= uint8_t(1 << random() % 8);
    CAPTURE(place);
    writeFile(folder.data(), bytes);
    checkUsable(folder);
  }
}

TEST_CASE("every byte of the file's header may be wrong") {
  StoreFolder folder;
  fill(folder);
  FileBytes good = readFile(folder.data());
  for (size_t offset = 0; offset < 100; ++offset) {
    FileBytes bytes = good;
    bytes[offset] ^= 0x41;
    CAPTURE(offset);
    writeFile(folder.data(), bytes);
    checkUsable(folder);
  }
}

TEST_CASE("a read-only store that is damaged is an error and stays as it is") {
  StoreFolder folder;
  fill(folder);
  FileBytes bytes = readFile(folder.data());
  bytes[3] ^= 1;
  writeFile(folder.data(), bytes);
  Result<std::shared_ptr<PartStore>> store = folder.tryOpen({.readOnly = true});
  REQUIRE_FALSE(store.has_value());
  CHECK(store.error().text.find("not a database") != std::string::npos);
  CHECK(readFile(folder.data()) == bytes);
}

TEST_CASE("other files full of garbage do no harm") {
  std::mt19937 random(3);
  for (size_t length : {0, 1, 100, 8192, 32768, 100000}) {
    StoreFolder folder;
    fill(folder);
    FileBytes garbage(length);
    for (uint8_t &byte : garbage)
      byte = uint8_t(random());
    CAPTURE(length);
    for (const char *name : {"parts-4.sqlite-wal", "parts-4.sqlite-shm"})
      writeFile(folder.file(name), garbage);
    std::shared_ptr<PartStore> store = folder.open();
    CHECK(countWhole(*store) == PartCount);
    store->put(madeUpPart(uint32_t(2000 + length)));
    store->flush();
    CHECK(has(*store, madeUpPart(uint32_t(2000 + length))));
    CHECK(folder.warnings().empty());
  }
}

// Another process changes the files while they are open. Then a look-up misses, or finds the part that was put.
TEST_CASE("files may be cut off, emptied, removed or replaced while the store is open") {
  const char *const names[] = {"parts-4.sqlite", "parts-4.sqlite-wal", "parts-4.sqlite-shm"};
  for (const char *name : names)
    for (unsigned way = 0; way < 4; ++way) {
      CAPTURE(name);
      CAPTURE(way);
      StoreFolder folder;
      std::shared_ptr<PartStore> store = folder.open();
      for (uint32_t i = 0; i < PartCount; ++i)
        store->put(storedPart(i));
      store->flush(); // the write-ahead log is not empty
      const std::string path = folder.file(name), other = folder.file("other");
      inOtherProcess([&] {
        switch (way) {
        case 0:
          return truncate(path.c_str(), 0) == 0;
        case 1:
          return truncate(path.c_str(), 5000) == 0;
        case 2:
          return unlink(path.c_str()) == 0;
        default: {
          const int file = ::open(other.c_str(), O_WRONLY | O_CREAT, 0600);
          return file >= 0 && write(file, path.data(), path.size()) == ssize_t(path.size()) &&
                 rename(other.c_str(), path.c_str()) == 0;
        }
        }
      });
      countWhole(*store);
      store->put(madeUpPart(1000));
      store->flush();
      countWhole(*store);
      store->put(madeUpPart(1001)); // a part that was on its way when the damage was found may be lost
      store->flush();
      CHECK(has(*store, madeUpPart(1001)));
      CHECK(store->statistics().isWritable);
      CHECK(folder.warnings().size() <= 1);
      store.reset();
      checkUsable(folder);
    }
}

TEST_CASE("a store whose folder goes is turned off with one warning, and serves nothing wrong") {
  StoreFolder folder;
  std::shared_ptr<PartStore> store = folder.open({.path = folder.file("store")});
  store->put(madeUpPart(1));
  store->flush();
  inOtherProcess([&] { return rename(folder.file("store").c_str(), folder.file("gone").c_str()) == 0; });
  store->put(madeUpPart(2));
  store->flush();
  CHECK_FALSE(store->statistics().isWritable);
  CHECK(folder.warnings().size() == 1);
  CHECK_FALSE(store->find(madeUpKey(2)));
}
