// SPDX-License-Identifier: MIT
//
// The in-memory part cache: one part for each key, shared by all shaders and threads. The first thread that asks for a
// missing part makes it; threads that ask meanwhile wait for it (single_flight.h). Parts stay until memory runs short.
// Parts that a variant or anybody else refers to stay even then.
#pragma once

#include "parts/cache/single_flight.h"
#include "parts/part.h"
#include "parts/store/driver_cache.h"
#include "parts/store/part_store.h"
#include "src/base/error.h"
#include <atomic>
#include <functional>
#include <memory>
#include <string>

template <> struct std::hash<dovetail::PartKey> {
  size_t operator()(const dovetail::PartKey &key) const noexcept {
    return key.hash.low ^ static_cast<size_t>(key.kind);
  }
};

namespace dovetail {

struct PartLookup {
  PartRef part;
  bool made = false;   // by this call
  bool stored = false; // this call found it in the driver's cache or in the store
};

struct PartCacheStatistics {
  uint64_t made = 0;
  uint64_t found = 0;   // including waits for a part that another thread was making
  uint64_t stored = 0;  // found in the driver's cache or in the store instead of being made
  uint64_t damaged = 0; // parts that the driver's cache returned damaged
  uint64_t failed = 0;
  uint64_t bytes = 0; // code and constants of the parts that are held
  uint64_t evicted = 0;
  uint64_t memoryBytes = 0;        // `bytes` and the bookkeeping
  uint64_t optimizerOvertaken = 0; // see SingleFlight
};

// About how much memory a part takes, in bytes.
uint64_t memoryBytes(const Part &part);

// Where a part is looked for, and put, besides this cache.
enum class PartReach : uint8_t { Everywhere, CacheOnly };

// Thread-safe.
class PartCache {
public:
  using Maker = std::function<Result<PartRef>()>;

  // Behind this cache may be a cache of the driver's and a store. They are asked for a part in this order before it is
  // made, and they get each part that is made. The store also gets the name of the GPU.
  explicit PartCache(std::shared_ptr<PartStore> store = nullptr, std::string gpuName = {}, DriverCache driverCache = {})
      : m_store(std::move(store)), m_driverCache(std::move(driverCache)), m_gpuName(std::move(gpuName)) {}

  // Returns the part; calls `make` if nobody has it yet. An Error goes to all threads that waited, and is not
  // remembered: the next call tries again. `make` may itself use the cache, for other keys. ErrorCode::Cancelled is no
  // failure: `make` says with it that another part will do.
  Result<PartLookup> getOrMake(const PartKey &key, const Maker &make, PartReach reach = PartReach::Everywhere);
  // Returns a part that is in this cache, in the driver's or in the store; nullptr: it is in none.
  PartLookup lookUp(const PartKey &key);

  // nullptr if it is absent or still being made.
  PartRef find(const PartKey &key) const;

  // Adds a part that came from elsewhere. Returns false if the key was there already.
  bool insert(const PartRef &part);

  // Looks at a sample of the parts, a different one each time. Of those that nobody else refers to, it forgets the ones
  // that were not asked for longest, until this share of the sample's memory is free. Returns how much of the cache the
  // sample was, 1: all. Called by one thread at a time.
  double evictFromSample(double share);

  PartCacheStatistics statistics() const;
  uint64_t memoryBytes() const { return m_memoryBytes.load(std::memory_order_relaxed); }
  // All parts that are held, in no order.
  std::vector<PartRef> parts() const;
  // nullptr: there is none.
  const std::shared_ptr<PartStore> &store() const { return m_store; }

private:
  PartRef findStored(const PartKey &key);
  PartRef findStoredTimed(const PartKey &key);
  void noteHeld(const Part &part, std::atomic<uint64_t> &counter);
  Result<PartRef> findInStoreOrMake(const PartKey &key, const Maker &make, PartReach reach, bool &isStored);

  std::shared_ptr<PartStore> m_store;
  const DriverCache m_driverCache;
  std::string m_gpuName;
  SingleFlight<PartKey, PartRef> m_table;
  std::atomic<uint64_t> m_made = 0;
  std::atomic<uint64_t> m_found = 0;
  std::atomic<uint64_t> m_stored = 0;
  std::atomic<uint64_t> m_damaged = 0;
  std::atomic<uint64_t> m_failed = 0;
  std::atomic<uint64_t> m_bytes = 0;
  std::atomic<uint64_t> m_evicted = 0;
  std::atomic<uint64_t> m_memoryBytes = 0;
  EvictionHand m_evictionHand;
};

} // namespace dovetail
