// SPDX-License-Identifier: MIT
//
// The in-memory part cache: one part for each key, shared by all shaders and threads. A part that is missing is made by
// the first thread that asks for it; others that ask meanwhile wait for that one. No lock is held while a part is made,
// so threads that want other parts never wait.
#pragma once

#include "parts/part.h"
#include "src/base/error.h"
#include <array>
#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <tbb/concurrent_hash_map.h>

namespace dovetail {

// What a look-up gives: the part, and whether this call made it.
struct PartLookup {
  PartRef part;
  bool made = false;
};

struct PartCacheStatistics {
  uint64_t made = 0;
  uint64_t found = 0; // including waits for a part that another thread was making
  uint64_t failed = 0;
  uint64_t bytes = 0; // of code and constants of the parts that are held
};

// Thread-safe.
class PartCache {
public:
  using Maker = std::function<Result<PartRef>()>;

  // Returns the part, calling `make` if nobody has it yet. An Error goes to everybody who waited and is not remembered:
  // the next call tries again. `make` may itself use the cache, for other keys.
  Result<PartLookup> getOrMake(const PartKey &key, const Maker &make);

  // nullptr if it is absent or still being made.
  PartRef find(const PartKey &key) const;

  PartCacheStatistics statistics() const;
  // Every part that is held, in no order.
  std::vector<PartRef> parts() const;

private:
  using Outcome = std::shared_future<Result<PartRef>>;

  struct HashCompare {
    static size_t hash(const PartKey &key) { return key.hash.low ^ static_cast<size_t>(key.kind); }
    static bool equal(const PartKey &a, const PartKey &b) { return a == b; }
  };
  using Table = tbb::concurrent_hash_map<PartKey, Outcome, HashCompare>;

  static PartRef readyPart(const Outcome &outcome);

  Table m_table;
  std::atomic<uint64_t> m_made = 0;
  std::atomic<uint64_t> m_found = 0;
  std::atomic<uint64_t> m_failed = 0;
  std::atomic<uint64_t> m_bytes = 0;
};

} // namespace dovetail
