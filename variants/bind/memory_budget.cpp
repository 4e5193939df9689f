// SPDX-License-Identifier: MIT
#include "variants/bind/memory_budget.h"
#include <algorithm>
#include <new>
#include <utility>

namespace dovetail {

void MemoryBudget::enforce() {
  if (!isDue())
    return;
  std::unique_lock lock(m_mutex, std::try_to_lock);
  if (!lock) {
    if (heldBytes() <= m_bytes)
      return; // another thread is evicting
    lock.lock();
    if (!isDue())
      return; // another thread has evicted
  }
  if (m_postponed > 0) {
    --m_postponed;
    return;
  }
  try {
    evict();
  } catch (const std::bad_alloc &) { // the new variant is good; the next build tries again
  }
}

// Evicts in steps, until the budget holds, or everything was looked at in vain. One step is enough unless much is
// referenced.
void MemoryBudget::evict() {
  const uint64_t target = m_bytes - m_bytes / 8;
  auto share = [&](uint64_t held) { return held > target ? double(held - target) / double(held) : 0; };
  size_t slots = m_tables.slotCount();
  double variantsSeen = 0, partsSeen = 0;
  auto isAllSeenInVain = [&] {
    if (std::min(variantsSeen, partsSeen) < 1)
      return false;
    variantsSeen = partsSeen = 0;
    const size_t before = std::exchange(slots, m_tables.slotCount());
    return before <= slots; // otherwise, a variant may go with its last slots in the next round
  };
  m_knownPieces.clear(); // it refers to parts
  do {
    m_tables.collect();
    variantsSeen += m_tables.evictFromSample(share(heldBytes()));
    m_tables.collect(); // it releases variants, which refer to parts
    partsSeen += m_parts.evictFromSample(share(heldBytes()));
  } while (heldBytes() > m_bytes && !isAllSeenInVain());
  // Nearly everything is referenced, so the next builds do not look at it in vain.
  if (heldBytes() > m_bytes)
    m_postponed = m_tables.variantCount() / 16;
}

} // namespace dovetail
