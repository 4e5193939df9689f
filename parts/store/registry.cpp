// SPDX-License-Identifier: MIT
#include "parts/store/registry.h"
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <sys/stat.h>
#include <utility>

namespace dovetail::store {

namespace {

// A folder, whatever its path.
using FolderId = std::pair<dev_t, ino_t>;

struct Place {
  const PartStore *store = nullptr; // nullptr: being opened
  std::weak_ptr<PartStore> use;
};

struct Registry {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<FolderId, Place> places; // until the files are closed, which is after the last use
};

Registry &registry() {
  static Registry instance;
  return instance;
}

} // namespace

Result<std::shared_ptr<PartStore>> openOnce(const std::string &path, bool makeFolder,
                                            const std::function<Result<std::shared_ptr<PartStore>>()> &open) {
  std::error_code code;
  if (makeFolder)
    std::filesystem::create_directories(path, code);
  struct stat status;
  if (code || stat(path.c_str(), &status) != 0)
    return makeError(ErrorCode::Io, "part store: {}: {}", path,
                     code ? code.message() : std::generic_category().message(errno));
  FolderId id = {status.st_dev, status.st_ino};

  Registry &all = registry();
  std::unique_lock<std::mutex> lock(all.mutex);
  for (auto place = all.places.find(id); place != all.places.end(); place = all.places.find(id)) {
    if (std::shared_ptr<PartStore> store = place->second.use.lock())
      return store;
    all.changed.wait(lock); // it is being opened or closed
  }
  all.places.emplace(id, Place());
  lock.unlock();
  // Beyond this point, others who want this folder wait.

  auto settle = [&](const std::shared_ptr<PartStore> &store) {
    lock.lock();
    if (store)
      all.places[id] = {store.get(), store};
    else
      all.places.erase(id);
    all.changed.notify_all();
  };
  try {
    Result<std::shared_ptr<PartStore>> store = open();
    settle(store ? *store : nullptr);
    return store;
  } catch (...) {
    settle(nullptr); // memory ran out
    throw;
  }
}

void closedOnce(const PartStore *store) {
  Registry &all = registry();
  std::lock_guard<std::mutex> lock(all.mutex);
  std::erase_if(all.places, [&](const auto &place) { return place.second.store == store; });
  all.changed.notify_all();
}

} // namespace dovetail::store
