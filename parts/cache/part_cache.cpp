// SPDX-License-Identifier: MIT
#include "parts/cache/part_cache.h"
#include "parts/cache/eviction_sample.h"
#include "parts/cache/part_tally.h"
#include "src/base/asking_thread.h"
#include <algorithm>
#include <chrono>

namespace dovetail {

namespace {

uint64_t codeBytes(const Part &part) {
  return part.code.size() + part.constants.size();
}

} // namespace

uint64_t memoryBytes(const Part &part) {
  constexpr uint64_t Bookkeeping = 160; // shared_ptr, the cell in the table, the allocator's own
  const uint64_t interfaces = uint64_t(part.interface.has_value()) + uint64_t(part.firstInterface.has_value());
  return sizeof(Part) + Bookkeeping + interfaces * sizeof(ShaderInterface) + codeBytes(part) + part.description.size() +
         part.relocations.size() * sizeof(Relocation) + part.layoutRelocations.size() * sizeof(LayoutRelocation) +
         (part.contract.inputs.size() + part.contract.outputs.size()) * sizeof(Binding);
}

PartRef PartCache::findStored(const PartKey &key) {
  bool isDamaged = false;
  if (PartRef part = findInDriverCache(m_driverCache, key, isDamaged))
    return part;
  m_damaged.fetch_add(isDamaged, std::memory_order_relaxed);
  PartRef part = m_store ? m_store->find(key) : nullptr;
  if (part)
    putIntoDriverCache(m_driverCache, *part);
  return part;
}

namespace {

class PartClock {
public:
  void note(PartKind kind, bool isStored) const {
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - m_start;
    partTally.add(kind, isStored, took.count());
  }

private:
  const std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

} // namespace

PartRef PartCache::findStoredTimed(const PartKey &key) {
  if (!mayWait)
    return nullptr;
  const PartClock clock;
  PartRef part = findStored(key);
  if (part)
    clock.note(key.kind, true);
  return part;
}

Result<PartRef> PartCache::findInStoreOrMake(const PartKey &key, const Maker &make, PartReach reach, bool &isStored) {
  const bool isKept = reach == PartReach::Everywhere;
  const PartClock clock;
  if (PartRef part = isKept ? findStoredTimed(key) : nullptr) {
    isStored = true;
    return part;
  }
  try {
    Result<PartRef> part = make();
    const bool isCancelled = !part && part.error().code == ErrorCode::Cancelled;
    if (!isCancelled)
      clock.note(key.kind, false);
    if (!part) {
      m_failed.fetch_add(!isCancelled, std::memory_order_relaxed);
      return part;
    }
    if (m_store && isKept)
      m_store->put(*part, m_gpuName);
    if (mayWait && isKept)
      putIntoDriverCache(m_driverCache, **part);
    return part;
  } catch (...) {
    m_failed.fetch_add(1, std::memory_order_relaxed);
    throw; // the single flight passes it on to the threads that wait
  }
}

Result<PartLookup> PartCache::getOrMake(const PartKey &key, const Maker &make, PartReach reach) {
  bool isStored = false;
  auto lookup = m_table.getOrMake(key, [&] { return findInStoreOrMake(key, make, reach, isStored); });
  if (!lookup)
    return tl::unexpected<Error>(std::move(lookup.error()));
  partTally.waited += lookup->waited;
  if (!lookup->made) {
    m_found.fetch_add(1, std::memory_order_relaxed);
    return PartLookup{std::move(lookup->value)};
  }
  noteHeld(*lookup->value, isStored ? m_stored : m_made);
  return PartLookup{std::move(lookup->value), !isStored, isStored};
}

PartLookup PartCache::lookUp(const PartKey &key) {
  PartRef part = find(key);
  if (part)
    m_found.fetch_add(1, std::memory_order_relaxed);
  else if ((part = findStoredTimed(key)))
    return {part, false, insert(part)};
  return {std::move(part)};
}

bool PartCache::insert(const PartRef &part) {
  const WaitlessScope scope(true); // do not wait for a thread that is making the same part
  const auto lookup = m_table.getOrMake(part->key, [&]() -> Result<PartRef> { return part; });
  if (!lookup || !lookup->made)
    return false;
  noteHeld(*part, m_stored);
  return true;
}

void PartCache::noteHeld(const Part &part, std::atomic<uint64_t> &counter) {
  counter.fetch_add(1, std::memory_order_relaxed);
  m_bytes.fetch_add(codeBytes(part), std::memory_order_relaxed);
  m_memoryBytes.fetch_add(dovetail::memoryBytes(part), std::memory_order_relaxed);
}

PartRef PartCache::find(const PartKey &key) const {
  return m_table.find(key).value_or(nullptr);
}

double PartCache::evictFromSample(double share) {
  struct Candidate {
    PartKey key;
    uint64_t lastUse;
  };
  std::vector<Candidate> candidates;
  size_t parts = 0;
  uint64_t held = 0;
  // A part that was just made may not be counted yet.
  const uint64_t made = m_made + m_stored, evicted = std::min<uint64_t>(m_evicted, made);
  const double seen = m_evictionHand.sample(m_table.ShardCount, made - evicted, [&](const TablePiece &piece) {
    m_table.forEachIn(piece, [&](const PartKey &key, const PartRef &part, uint64_t lastUse) {
      ++parts;
      held += dovetail::memoryBytes(*part);
      if (part.use_count() == 1)
        candidates.push_back({key, lastUse});
    });
    return parts;
  });
  std::ranges::sort(candidates, {}, &Candidate::lastUse);

  uint64_t freed = 0;
  for (const Candidate &candidate : candidates) {
    if (double(freed) >= share * double(held))
      break;
    auto gone = m_table.eraseIf(candidate.key, [](const PartRef &part) { return part.use_count() == 1; });
    if (!gone)
      continue;
    uint64_t bytes = dovetail::memoryBytes(**gone);
    freed += bytes;
    m_evicted.fetch_add(1, std::memory_order_relaxed);
    m_bytes.fetch_sub(codeBytes(**gone), std::memory_order_relaxed);
    m_memoryBytes.fetch_sub(bytes, std::memory_order_relaxed);
  }
  return seen;
}

PartCacheStatistics PartCache::statistics() const {
  return {.made = m_made,
          .found = m_found,
          .stored = m_stored,
          .damaged = m_damaged,
          .failed = m_failed,
          .bytes = m_bytes,
          .evicted = m_evicted,
          .memoryBytes = m_memoryBytes,
          .optimizerOvertaken = m_table.overtakings()};
}

std::vector<PartRef> PartCache::parts() const {
  std::vector<PartRef> result;
  m_table.forEach([&](const PartKey &, const PartRef &part, uint64_t) { result.push_back(part); });
  return result;
}

} // namespace dovetail
