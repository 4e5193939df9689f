// SPDX-License-Identifier: MIT
//
// Parts on a Redis server, which workers and stores share. A part has the key "dovetail:part:BUILD:GPU:KEY", and its
// value is an entry of a part store (parts/store/entry.h), sealed. A part that comes from the server is used only if
// its seal is good, its entry is good, and its own key is the one that was asked for; so nobody without the key file
// can bring code in, and nobody at all can exchange one part for another. Values live for 30 days after they were put;
// a server with a limit (maxmemory-policy volatile-lfu) evicts them, and keeps the queue.
#pragma once

#include "parts/store/part_store.h"
#include "tools/programs/dovetail/farm/item_unit.h"
#include "tools/programs/dovetail/farm/redis.h"
#include "tools/programs/dovetail/farm/sealed_value.h"
#include <map>
#include <set>
#include <span>

namespace dovetail::farm {

struct SyncCounts {
  uint64_t pushed = 0, pulled = 0;
  uint64_t known = 0;   // that both sides had
  uint64_t refused = 0; // values of the server that were not used
};

// Not thread-safe.
class PartExchange {
public:
  PartExchange(Redis &redis, const Sealer &sealer, const std::string &build)
      : m_redis(redis), m_sealer(sealer), m_build(build) {}

  // Copies the parts of this build and these GPUs, in batches. `verifies`: reads what the server has of them, and
  // replaces values that are not to be used. Errors: Io.
  Result<SyncCounts> push(PartStore &store, const std::vector<std::string> &gpus, bool verifies = false);
  Result<SyncCounts> pull(PartStore &store, const std::vector<std::string> &gpus);

  // Asks the server for these parts at once, in their order; nullptr for those that it has not. A server that is lost
  // has none, and is not asked for some seconds.
  std::vector<PartRef> find(std::span<const PartName> names);
  // Remembers a part that was made, for pushMade() and waiting().
  void put(MadeEntry made);
  // The entry of a part that was made and waits to be sent; nullptr: it does not.
  const std::vector<uint8_t> *waiting(const PartName &name) const;
  struct Pushed {
    bool isAll = false; // otherwise the rest is tried again with later parts
    uint64_t known = 0; // encoded parts that the server had; nobody asks for them before they are made
  };
  // Sends what was made since the last call, in the place of what the server has under these keys.
  Pushed pushMade();

private:
  std::string keyOf(const std::string &gpu, const DriverCacheKey &key) const;
  std::string prefixOf(const std::string &gpu) const;
  // nullptr: the value is not to be used.
  PartRef openValue(const std::string &key, const std::string &gpu, const std::string &value);
  struct Value {
    std::string key;
    std::span<const uint8_t> entry;
  };
  // Returns whether the server had them, one by one. What it had otherwise is replaced.
  Result<std::vector<bool>> set(const std::vector<Value> &values);
  bool isReachable();

  Redis &m_redis;
  const Sealer &m_sealer;
  const std::string m_build;
  std::map<PartName, std::vector<uint8_t>> m_made; // entries
  bool m_hasLeftOut = false;                       // parts that were made since the last pushMade()
  std::set<std::string> m_bad;                     // keys of the server whose values are to be replaced
  std::chrono::steady_clock::time_point m_nextTry;
  uint64_t m_refused = 0;
};

} // namespace dovetail::farm
