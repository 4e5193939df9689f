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
      return; // another thread does it
    lock.lock();
    if (!isDue())
      return; // another thread did it
  }
  if (m_postponed > 0) {
    --m_postponed;
    return;
  }
  try {
    evict();
  } catch (const std::bad_alloc &) { // what was built is good all the same; the next build tries again
  }
}

// A step after the other until the budget holds, or all was looked at in vain. One is enough unless much is referenced.
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
    return before <= slots; // else a variant has fewer slots left now
  };
  m_knownPieces.clear(); // so that its parts are not referred to
  do {
    m_tables.collect();
    variantsSeen += m_tables.evictFromSample(share(heldBytes()));
    m_tables.collect(); // so that parts are no longer referred to
    partsSeen += m_parts.evictFromSample(share(heldBytes()));
  } while (heldBytes() > m_bytes && !isAllSeenInVain());
  // Nearly all is referenced: not every build looks at all of it in vain.
  if (heldBytes() > m_bytes)
    m_postponed = m_tables.variantCount() / 16;
}

} // namespace dovetail
