// SPDX-License-Identifier: MIT
#include "parts/store/eviction.h"
#include "parts/store/structure_check.h"
#include <algorithm>

namespace dovetail::store {

namespace {

// What commits need besides the values: copies of the pages that they change.
uint64_t reservedBytes(uint64_t maxBytes) {
  return std::max<uint64_t>(maxBytes / 8, 256 * 1024);
}

constexpr uint64_t LeafBytes = 4096;

// Removing an entry copies two leaves and what leads to them.
size_t entriesPerEviction(uint64_t maxBytes) {
  return std::clamp<uint64_t>(maxBytes / (256 * 1024), 8, 512);
}

} // namespace

std::vector<Eviction::Candidate> Eviction::candidates() {
  std::vector<Candidate> result;
  Environment::ReadFailure failure;
  std::optional<Environment::Reading> reading = m_environment.read(failure);
  if (!reading)
    return result;
  SeenPages seen(reading->snapshot().lastPage + 1);
  uint8_t first = uint8_t(Table::Usage);
  walk(reading->file(), reading->snapshot(), reading->snapshot().data, KeyOrder::Bytes, Bytes(&first, 1), seen,
       {.entry =
            [&](Bytes key, Bytes value) {
              std::optional<UsageRecord> usage = decodeUsage(value);
              if (readKey(Table::Usage, key)) {
                Candidate candidate = {usage ? usage->lastUsed : 0, usage ? usage->bytes : 0, {}};
                std::copy(key.begin(), key.end(), candidate.key.begin());
                result.push_back(candidate);
              }
              return true;
            },
        .defect = {}});
  std::sort(result.begin(), result.end(),
            [](const Candidate &a, const Candidate &b) { return a.lastUsed < b.lastUsed; });
  return result;
}

uint64_t Eviction::evict(std::vector<Candidate> candidates, const std::function<bool()> &isEnough,
                         const CommitChanges &commit) {
  uint64_t evicted = 0;
  size_t group = entriesPerEviction(m_maxBytes);
  for (size_t at = 0; at < candidates.size() && !isEnough();) {
    std::vector<Change> changes;
    size_t end = std::min(at + group, candidates.size());
    for (; at < end; ++at) {
      KeyRecord part = candidates[at].key;
      part[0] = uint8_t(Table::Parts);
      changes.push_back({Change::Kind::Remove, part, {}});
      changes.push_back({Change::Kind::Remove, candidates[at].key, {}});
    }
    if (!commit(changes))
      break;
    evicted += std::count_if(changes.begin(), changes.end(), [](const Change &change) {
      return change.done && change.key[0] == uint8_t(Table::Parts);
    });
  }
  return evicted;
}

// Whether so much can be written and the reserve still be there. Pages that readers of older states hold count as free,
// though they are not: readers are short.
bool Eviction::hasRoom(uint64_t bytes) {
  Environment::ReadFailure failure;
  std::optional<Environment::Reading> reading = m_environment.read(failure);
  if (!reading)
    return true; // committing will say what is wrong
  const Snapshot &snapshot = reading->snapshot();
  uint64_t used = (snapshot.lastPage + 1) * snapshot.pageSize;
  uint64_t needed = bytes + reservedBytes(m_maxBytes);
  if (used + needed <= m_maxBytes)
    return true;
  return used - countFreePages(reading->file(), snapshot).usable * snapshot.pageSize + needed <= m_maxBytes;
}

uint64_t Eviction::makeRoom(uint64_t bytes, size_t changes, unsigned tries, const CommitChanges &commit) {
  // Each value may begin pages of its own, and each change copies a leaf.
  bytes = 2 * bytes + changes * LeafBytes + tries * (m_maxBytes / 8);
  if (hasRoom(bytes))
    return 0;
  return evict(
      candidates(), [&] { return hasRoom(bytes + m_maxBytes / 10); }, commit);
}

uint64_t Eviction::prune(uint64_t maxBytes, const CommitChanges &commit) {
  std::vector<Candidate> all = candidates();
  uint64_t total = 0;
  for (const Candidate &candidate : all)
    total += candidate.bytes;
  // Exactly those that must go, not whole groups.
  size_t count = 0;
  for (; count < all.size() && total > maxBytes; ++count)
    total -= all[count].bytes;
  all.resize(count);
  return evict(
      std::move(all), [] { return false; }, commit);
}

} // namespace dovetail::store
