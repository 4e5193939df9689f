// SPDX-License-Identifier: MIT
//
// The part store of a process that writes what others have made, on its own thread.
#include "parts/store/entry.h"
#include "parts/store/entry_store.h"
#include "tests/parts/made_up_parts.h"
#include "tests/parts/store/store_folder.h"
#include <thread>

using namespace dovetail;
using namespace dovetail::test;

namespace {

std::shared_ptr<EntryStore> openIn(const StoreFolder &folder, std::chrono::milliseconds gatherTime) {
  PartStoreOptions options = {.path = folder.path()};
  options.gatherTime = gatherTime;
  return *EntryStore::open(std::move(options));
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
    const std::shared_ptr<EntryStore> store = openIn(folder, std::chrono::hours(1));
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

TEST_CASE("an entry store writes with a flush, and when a burst is over") {
  StoreFolder folder;
  constexpr std::chrono::milliseconds GatherTime(50);
  const std::shared_ptr<EntryStore> store = openIn(folder, GatherTime);
  store->put(madeUpPart(1));
  store->flush();
  CHECK(has(*store, madeUpPart(1)));
  store->put(madeUpPart(2));
  CHECK_FALSE(has(*store, madeUpPart(2)));
  std::this_thread::sleep_for(2 * GatherTime);
  store->put(madeUpPart(3));
  CHECK(has(*store, madeUpPart(2)));
  CHECK(has(*store, madeUpPart(3)));
  CHECK(*store->prune(0) == 3);
  CHECK(store->statistics().entries == 0);
}

TEST_CASE("a process that is forked off an entry store's writes nothing") {
  StoreFolder folder;
  const std::shared_ptr<EntryStore> store = openIn(folder, std::chrono::hours(1));
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
