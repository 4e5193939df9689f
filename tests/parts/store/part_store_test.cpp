// SPDX-License-Identifier: MIT
//
// The part store as its users see it, without any failure.
#include "parts/cache/part_cache.h"
#include "tests/parts/made_up_parts.h"
#include "tests/parts/store/store_folder.h"
#include <chrono>
#include <map>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace dovetail;
using namespace dovetail::test;

TEST_CASE("what was put is found, at once after a flush and in a store that is opened again") {
  StoreFolder folder;
  {
    std::shared_ptr<PartStore> store = folder.open();
    for (uint32_t i = 0; i < 100; ++i)
      store->put(madeUpPart(i, i * 100));
    store->flush();
    for (uint32_t i = 0; i < 100; ++i)
      CHECK(has(*store, madeUpPart(i, i * 100)));
  }
  std::shared_ptr<PartStore> store = folder.open();
  for (uint32_t i = 0; i < 100; ++i)
    CHECK(has(*store, madeUpPart(i, i * 100)));
  CHECK_FALSE(store->find(madeUpKey(100)));
  CHECK(folder.warnings().empty());
}

TEST_CASE("what the store has is put into the driver's cache, which is asked first") {
  StoreFolder folder;
  std::shared_ptr<PartStore> store = folder.open();
  store->put(madeUpPart(1));
  store->flush();
  std::map<DriverCacheKey, std::vector<uint8_t>> values;
  unsigned puts = 0;
  const DriverCache driverCache = {
      .get = [&](const DriverCacheKey &key) -> std::optional<std::vector<uint8_t>> {
        const auto found = values.find(key);
        return found == values.end() ? std::nullopt : std::optional(found->second);
      },
      .put =
          [&](const DriverCacheKey &key, std::span<const uint8_t> bytes) {
            ++puts;
            values[key] = {bytes.begin(), bytes.end()};
          },
  };
  auto look = [&] {
    PartCache cache(store, "gfx900", driverCache);
    const Result<PartLookup> found =
        cache.getOrMake(madeUpKey(1), []() -> Result<PartRef> { return makeError(ErrorCode::Internal, "made"); });
    REQUIRE(found.has_value());
    CHECK(found->stored);
    return cache.statistics().damaged;
  };
  CHECK(look() == 0);
  CHECK(puts == 1);
  CHECK(look() == 0);
  CHECK(puts == 1);
  CHECK(store->statistics().hits == 1);
  values.begin()->second.pop_back(); // a damaged value is put again
  CHECK(look() == 1);
  CHECK(puts == 2);
  CHECK(look() == 0);
}

TEST_CASE("closing a store writes what waits") {
  StoreFolder folder;
  folder.open()->put(madeUpPart(1));
  CHECK(has(*folder.open(), madeUpPart(1)));
}

TEST_CASE("the folder is made, with its parents") {
  StoreFolder folder;
  std::shared_ptr<PartStore> store = folder.open({.path = folder.file("a/b/c/")});
  store->put(madeUpPart(1));
  store->flush();
  CHECK(std::filesystem::exists(folder.file("a/b/c/") + PartStoreFile));
}

TEST_CASE("a folder without a name is an error that says so") {
  Result<std::shared_ptr<PartStore>> store = PartStore::open({});
  REQUIRE_FALSE(store.has_value());
  CHECK((store.error().code == ErrorCode::InvalidInput));
  CHECK(store.error().text == "part store: the name of its folder is empty");
}

TEST_CASE("a folder whose name means something to SQLite is one like others") {
  StoreFolder folder;
  const std::string path = folder.file("100%23?mode=memory#a");
  folder.open({.path = path})->put(madeUpPart(1));
  CHECK(std::filesystem::exists(path + "/" + PartStoreFile));
  CHECK(has(*folder.open({.path = path}), madeUpPart(1)));
}

TEST_CASE("a folder may be open several times in one process, each with options of its own") {
  StoreFolder folder;
  std::shared_ptr<PartStore> one = folder.open(), other = folder.open(), reader = folder.open({.readOnly = true});
  one->put(madeUpPart(1));
  other->put(madeUpPart(2));
  reader->put(madeUpPart(3));
  for (const std::shared_ptr<PartStore> &store : {one, other, reader})
    store->flush();
  one.reset(); // the others keep the database open
  for (const std::shared_ptr<PartStore> &store : {other, reader}) {
    CHECK(has(*store, madeUpPart(1)));
    CHECK(has(*store, madeUpPart(2)));
    CHECK_FALSE(store->find(madeUpKey(3)));
  }
  other->put(madeUpPart(4));
  other->flush();
  CHECK(has(*reader, madeUpPart(4)));
}

TEST_CASE("threads that open and close one folder all the time do not get in each other's way") {
  StoreFolder folder;
  std::vector<std::thread> threads;
  std::atomic<unsigned> failures = 0;
  for (uint32_t thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      for (uint32_t round = 0; round < 25; ++round) {
        Result<std::shared_ptr<PartStore>> store = PartStore::open({.path = folder.path()});
        if (!store) {
          ++failures;
          continue;
        }
        (*store)->put(madeUpPart(100 * thread + round, 64));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(failures == 0);
  std::shared_ptr<PartStore> store = folder.open();
  for (uint32_t thread = 0; thread < 4; ++thread)
    for (uint32_t round = 0; round < 25; ++round)
      CHECK(has(*store, madeUpPart(100 * thread + round, 64)));
}

TEST_CASE("entries are listed in the order of their keys, with hits and times") {
  StoreFolder folder;
  std::shared_ptr<PartStore> store = folder.open();
  // time() may be a tick behind the store's clock.
  const auto now = [] {
    const auto sinceEpoch = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::seconds>(sinceEpoch).count();
  };
  const int64_t before = now();
  for (uint32_t i = 0; i < 50; ++i)
    store->put(madeUpPart(i));
  store->flush();
  for (unsigned i = 0; i < 7; ++i)
    store->find(madeUpKey(3));
  store->flush();
  const Result<std::vector<PartStoreEntry>> listed = store->entries();
  REQUIRE(listed.has_value());
  const std::vector<PartStoreEntry> &entries = *listed;
  REQUIRE(entries.size() == 50);
  CHECK(std::ranges::is_sorted(entries, {}, &PartStoreEntry::key));
  for (const PartStoreEntry &entry : entries) {
    CHECK(entry.hits == (entry.key == madeUpKey(3) ? 7 : 0));
    CHECK(entry.bytes > 1024);
    CHECK(entry.created >= before);
    CHECK(entry.lastUsed >= entry.created);
    CHECK(entry.lastUsed <= now());
  }
}

TEST_CASE("statistics count hits, misses and what was written") {
  StoreFolder folder;
  std::shared_ptr<PartStore> store = folder.open();
  for (uint32_t i = 0; i < 10; ++i)
    store->put(madeUpPart(i));
  store->flush();
  for (uint32_t i = 0; i < 13; ++i)
    store->find(madeUpKey(i));
  store->put(madeUpPart(2));
  store->flush();
  PartStoreStatistics statistics = store->statistics();
  CHECK(statistics.hits == 10);
  CHECK(statistics.misses == 3);
  CHECK(statistics.written == 10); // part 2 was there
  CHECK(statistics.entries == 10);
  CHECK(statistics.bytes > 10 * 1024);
  CHECK(statistics.damaged == 0);
  CHECK(statistics.isReadable);
  CHECK(statistics.isWritable);
}

TEST_CASE("a store that is opened read-only is not changed") {
  StoreFolder folder;
  CHECK_FALSE(folder.tryOpen({.readOnly = true}).has_value()); // there is none
  CHECK_FALSE(std::filesystem::exists(folder.data()));
  folder.open()->put(madeUpPart(1));
  FileBytes before = readFile(folder.data());
  {
    std::shared_ptr<PartStore> store = folder.open({.readOnly = true});
    CHECK(has(*store, madeUpPart(1)));
    store->put(madeUpPart(2));
    store->flush();
    CHECK_FALSE(store->find(madeUpKey(2)));
    CHECK_FALSE(store->statistics().isWritable);
    CHECK_FALSE(store->prune(0).has_value());
  }
  CHECK(readFile(folder.data()) == before);
}

TEST_CASE("a store whose file nobody may write to is read without locks, with a warning") {
  StoreFolder folder;
  folder.open()->put(madeUpPart(1));
  for (const char *name : {"parts-4.sqlite-wal", "parts-4.sqlite-shm"})
    std::filesystem::remove(folder.file(name));
  chmod(folder.data().c_str(), 0444);
  {
    std::shared_ptr<PartStore> store = folder.open();
    CHECK(has(*store, madeUpPart(1)));
    store->put(madeUpPart(2));
    store->flush();
    CHECK_FALSE(store->statistics().isWritable);
    CHECK(folder.warnings().size() == 1);
  }
  for (const char *name : {"parts-4.sqlite-wal", "parts-4.sqlite-shm"})
    CHECK_FALSE(std::filesystem::exists(folder.file(name)));
}

TEST_CASE("who is warned may use the store that the warning is about, and lock nobody out") {
  StoreFolder folder;
  folder.open()->put(madeUpPart(1));
  std::atomic<unsigned> warnings = 0;
  PartStoreOptions options = {.path = folder.path()};
  options.onWarning = [&](std::string_view) {
    ++warnings;
    Result<std::shared_ptr<PartStore>> same = PartStore::open({.path = folder.path()});
    REQUIRE(same.has_value());
    (*same)->flush();
    CHECK((*same)->verify().has_value());
    CHECK((*same)->prune(1 << 20).has_value() == (*same)->statistics().isWritable);
  };
  SUBCASE("on the thread that opens it") {
    chmod(folder.data().c_str(), 0444);
  }
  SUBCASE("on the store's own") {
    // Damages every page but the first, which the opening of a store reads.
    FileBytes bytes = readFile(folder.data());
    std::fill(bytes.begin() + 8192, bytes.end(), 'x');
    writeFile(folder.data(), bytes);
  }
  Result<std::shared_ptr<PartStore>> store = PartStore::open(options);
  REQUIRE(store.has_value());
  CHECK_FALSE(((*store)->find(madeUpKey(1)) && warnings == 0));
  (*store)->flush();
  CHECK(warnings == 1);
}

TEST_CASE("a folder that cannot be one is an error that names it") {
  StoreFolder folder;
  writeFile(folder.file("file"), {1, 2, 3});
  Result<std::shared_ptr<PartStore>> store = folder.tryOpen({.path = folder.file("file")});
  REQUIRE_FALSE(store.has_value());
  CHECK((store.error().code == ErrorCode::Io));
  CHECK(store.error().text.find(folder.file("file")) != std::string::npos);
  CHECK_FALSE(folder.tryOpen({.path = "/proc/no such folder"}).has_value());
}

TEST_CASE("the cache asks its store before it makes a part, and gives it what it made") {
  StoreFolder folder;
  auto make = [] { return Result<PartRef>(madeUpPart(1)); };
  {
    PartCache cache(folder.open());
    PartLookup lookup = *cache.getOrMake(madeUpKey(1), make);
    CHECK(lookup.made);
    CHECK_FALSE(lookup.stored);
  }
  PartCache cache(folder.open());
  PartLookup lookup = *cache.getOrMake(madeUpKey(1), [&]() -> Result<PartRef> {
    FAIL("it was made again");
    return nullptr;
  });
  CHECK_FALSE(lookup.made);
  CHECK(lookup.stored);
  CHECK(bytesOf(*lookup.part) == bytesOf(*madeUpPart(1)));
  CHECK(cache.statistics().made == 0);
  CHECK(cache.statistics().stored == 1);
  lookup = *cache.getOrMake(madeUpKey(1), make);
  CHECK_FALSE(lookup.stored); // it is in the cache
}

TEST_CASE("a forked process finds nothing, and the store of its parent lives on") {
  StoreFolder folder;
  std::shared_ptr<PartStore> store = folder.open();
  store->put(madeUpPart(1));
  store->flush();
  int gate[2];
  REQUIRE(pipe(gate) == 0);
  pid_t child = fork();
  if (child == 0) {
    close(gate[1]);
    bool isMiss = !store->find(madeUpKey(1));
    store->put(madeUpPart(2));
    store->flush();
    store.reset();
    char byte;
    isMiss = read(gate[0], &byte, 1) == 0 && isMiss; // waits until the parent has closed its store, or died
    _exit(isMiss ? 0 : 1);
  }
  REQUIRE(child > 0);
  close(gate[0]);
  CHECK(has(*store, madeUpPart(1)));
  store.reset();
  store = folder.open(); // while the child has its files open
  CHECK(has(*store, madeUpPart(1)));
  CHECK_FALSE(store->find(madeUpKey(2)));
  close(gate[1]);
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE("a process that was forked off while a store was open can open none, whichever") {
  StoreFolder folder, another;
  std::shared_ptr<PartStore> store = folder.open();
  store->put(madeUpPart(1));
  store->flush();
  inOtherProcess([&] {
    alarm(60); // the child must not wait for its parent
    store.reset();
    for (const std::string &path : {folder.path(), another.path()}) {
      Result<std::shared_ptr<PartStore>> own = PartStore::open({.path = path});
      if (own || own.error().text.find("forked") == std::string::npos)
        return false;
    }
    return true;
  });
  CHECK(has(*store, madeUpPart(1)));
}

TEST_CASE("a process that was forked off when no store was open may open some") {
  StoreFolder folder;
  folder.open()->put(madeUpPart(1));
  inOtherProcess([&] {
    Result<std::shared_ptr<PartStore>> own = PartStore::open({.path = folder.path(), .readOnly = true});
    return own && (*own)->find(madeUpKey(1));
  });
  CHECK(has(*folder.open(), madeUpPart(1)));
}

namespace {

spirv::ModuleDigest madeUpDigest(uint32_t number) {
  return spirv::digestOf(std::span(&number, 1), spirv::Environment::Vulkan);
}

} // namespace

TEST_CASE("valid modules are remembered, also by a store that is opened again") {
  StoreFolder folder;
  {
    std::shared_ptr<PartStore> store = folder.open();
    CHECK_FALSE(store->hasValidModule(madeUpDigest(1)));
    store->putValidModule(madeUpDigest(1));
    store->putValidModule(madeUpDigest(1));
    store->flush();
    CHECK(store->hasValidModule(madeUpDigest(1)));
  }
  for (bool readOnly : {false, true}) {
    std::shared_ptr<PartStore> store = folder.open({.path = folder.path(), .readOnly = readOnly});
    CHECK(store->hasValidModule(madeUpDigest(1)));
    CHECK_FALSE(store->hasValidModule(madeUpDigest(2)));
  }
  CHECK(folder.warnings().empty());
}

TEST_CASE("a store has room for some valid modules, and forgets the oldest ones") {
  StoreFolder folder;
  std::shared_ptr<PartStore> store = folder.open({.path = folder.path(), .maxBytes = 1 << 20});
  constexpr uint32_t Most = 256, Count = 1000;
  for (uint32_t i = 0; i < Count; ++i) {
    store->putValidModule(madeUpDigest(i));
    if (i % 100 == 99)
      store->flush();
  }
  store->flush();
  uint32_t known = 0;
  for (uint32_t i = 0; i < Count; ++i)
    known += store->hasValidModule(madeUpDigest(i));
  CHECK(known <= Most);
  CHECK(known >= Most / 2);
  CHECK(store->hasValidModule(madeUpDigest(Count - 1)));
  CHECK_FALSE(store->hasValidModule(madeUpDigest(0)));
}

TEST_CASE("a store in a folder that is trusted all the same knows no valid modules") {
  StoreFolder folder;
  {
    std::shared_ptr<PartStore> store = folder.open();
    store->putValidModule(madeUpDigest(1));
    store->flush();
  }
  std::shared_ptr<PartStore> store = folder.open({.path = folder.path(), .trustFolder = true});
  CHECK_FALSE(store->hasValidModule(madeUpDigest(1)));
  store->putValidModule(madeUpDigest(2));
  store->flush();
  store.reset();
  CHECK_FALSE(folder.open()->hasValidModule(madeUpDigest(2)));
}
