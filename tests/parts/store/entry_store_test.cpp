// SPDX-License-Identifier: MIT
//
// The part store of a process that writes what others have made, on its own thread.
#include "parts/store/entry.h"
#include "parts/store/entry_store.h"
#include "tests/parts/made_up_parts.h"
#include "tests/parts/store/store_folder.h"

using namespace dovetail;
using namespace dovetail::test;

namespace {

std::shared_ptr<EntryStore> openIn(const StoreFolder &folder) {
  return *EntryStore::open({.path = folder.path(), .maxBytes = 1 << 20});
}

size_t threadCount() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return size_t(std::distance(begin(tasks), end(tasks)));
}

} // namespace

TEST_CASE("an entry store has no thread, and has parts and entries at the latest when it is closed") {
  StoreFolder folder;
  const size_t threads = threadCount();
  {
    const std::shared_ptr<EntryStore> store = openIn(folder);
    CHECK(threadCount() == threads);
    store->put(madeUpPart(1));
    store->putEntry(madeUpKey(2), store::encodeEntry(*madeUpPart(2)), "gfx900");
    CHECK_FALSE(has(*store, madeUpPart(1)));
  }
  const std::shared_ptr<PartStore> store = folder.open();
  CHECK(has(*store, madeUpPart(1)));
  CHECK(has(*store, madeUpPart(2)));
  CHECK(store->statistics().entries == 2);
}

TEST_CASE("an entry store writes when it is told to, and says whether it has all parts") {
  StoreFolder folder;
  const std::shared_ptr<EntryStore> store = openIn(folder);
  store->put(madeUpPart(1));
  store->flush();
  CHECK(has(*store, madeUpPart(1)));
  store->put(madeUpPart(2));
  CHECK_FALSE(has(*store, madeUpPart(2)));
  CHECK(store->write());
  CHECK(has(*store, madeUpPart(2)));
  store->putEntry(madeUpKey(3), std::vector<uint8_t>(100'000), "gfx900"); // no part may be so large
  store->put(madeUpPart(4));
  CHECK_FALSE(store->write());
  CHECK(has(*store, madeUpPart(4)));
  CHECK(store->write());
  CHECK(*store->prune(0) == 3);
  CHECK(store->statistics().entries == 0);
}

TEST_CASE("an entry store that cannot be written to says so") {
  StoreFolder folder;
  {
    const std::shared_ptr<EntryStore> store = openIn(folder);
    CHECK(store->write());
  }
  const std::shared_ptr<EntryStore> store = *EntryStore::open({.path = folder.path(), .readOnly = true});
  store->put(madeUpPart(1));
  CHECK_FALSE(store->write());
}

TEST_CASE("a process that is forked off an entry store's writes nothing") {
  StoreFolder folder;
  const std::shared_ptr<EntryStore> store = openIn(folder);
  store->put(madeUpPart(1));
  const pid_t child = ::fork();
  if (child == 0) {
    store->put(madeUpPart(2));
    store->flush();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  store->flush();
  CHECK(has(*store, madeUpPart(1)));
  CHECK(store->statistics().entries == 1);
}
