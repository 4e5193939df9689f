// SPDX-License-Identifier: MIT
//
// The size of a part store.
#include "tests/parts/made_up_parts.h"
#include "tests/parts/store/store_folder.h"

using namespace dovetail;
using namespace dovetail::test;

namespace {

constexpr uint64_t MiB = uint64_t(1) << 20;

} // namespace

TEST_CASE("a store stays below its limit, and what is used stays in it") {
  StoreFolder folder;
  std::shared_ptr<PartStore> store = folder.open({.maxBytes = 2 * MiB});
  for (uint32_t i = 0; i < 10; ++i)
    store->put(madeUpPart(i));
  for (uint32_t i = 10; i < 5000; ++i) {
    store->put(madeUpPart(i));
    if (i % 100 != 0)
      continue;
    store->flush();
    for (uint32_t used = 0; used < 10; ++used)
      store->find(madeUpKey(used));
    store->flush();
    CHECK(std::filesystem::file_size(folder.data()) <= 2 * MiB);
  }
  store->flush();
  for (uint32_t i = 0; i < 10; ++i)
    CHECK(has(*store, madeUpPart(i)));
  CHECK(has(*store, madeUpPart(4999)));
  CHECK_FALSE(store->find(madeUpKey(20)));
  PartStoreStatistics statistics = store->statistics();
  CHECK(statistics.written == 5000);
  CHECK(statistics.evicted == statistics.written - statistics.entries);
  CHECK(statistics.entries > 200); // it is not half empty either
  CHECK(statistics.isWritable);
  CHECK(folder.warnings().empty());
}

TEST_CASE("large parts evict small ones, and those that are too large are not stored") {
  StoreFolder folder;
  std::shared_ptr<PartStore> store = folder.open({.maxBytes = 4 * MiB});
  for (uint32_t i = 0; i < 1000; ++i)
    store->put(madeUpPart(i));
  store->flush();
  for (uint32_t i = 1000; i < 1100; ++i)
    store->put(madeUpPart(i, 100'000));
  store->put(madeUpPart(2000, MiB));
  store->flush();
  CHECK(has(*store, madeUpPart(1099, 100'000)));
  CHECK_FALSE(store->find(madeUpKey(2000)));
  CHECK_FALSE(store->find(madeUpKey(0)));
  CHECK(std::filesystem::file_size(folder.data()) <= 4 * MiB);
  CHECK(store->statistics().isWritable);
}

TEST_CASE("pruning leaves what was used last") {
  StoreFolder folder;
  std::shared_ptr<PartStore> store = folder.open();
  for (uint32_t i = 0; i < 100; ++i)
    store->put(madeUpPart(i));
  store->flush();
  uint64_t kept = 0;
  for (uint32_t i = 40; i < 50; ++i)
    store->find(madeUpKey(i));
  store->flush();
  const Result<std::vector<PartStoreEntry>> entries = store->entries();
  REQUIRE(entries.has_value());
  for (const PartStoreEntry &entry : *entries)
    kept += entry.hits * entry.bytes;
  Result<uint64_t> gone = store->prune(kept);
  REQUIRE(gone.has_value());
  CHECK(*gone == 90);
  CHECK(store->statistics().entries == 10);
  for (uint32_t i = 40; i < 50; ++i)
    CHECK(has(*store, madeUpPart(i)));
  CHECK(*store->prune(kept) == 0);
  CHECK(*store->prune(0) == 10);
  CHECK(store->statistics().entries == 0);
}

TEST_CASE("a store may be opened with a smaller limit than it was filled under") {
  StoreFolder folder;
  {
    std::shared_ptr<PartStore> store = folder.open({.maxBytes = 16 * MiB});
    for (uint32_t i = 0; i < 3000; ++i)
      store->put(madeUpPart(i));
  }
  std::shared_ptr<PartStore> store = folder.open({.maxBytes = 4 * MiB});
  CHECK(has(*store, madeUpPart(7)));
  store->put(madeUpPart(5000));
  store->flush();
  CHECK(has(*store, madeUpPart(5000)));
  CHECK(store->statistics().bytes <= 4 * MiB);
  CHECK(folder.warnings().empty());
}
