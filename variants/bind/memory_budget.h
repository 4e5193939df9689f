// SPDX-License-Identifier: MIT
//
// The memory budget. When variants and parts exceed it, some are evicted: those that nobody outside of the tables
// refers to and that no Binder has bound, the least recently used first. Slots with their variants and variants without
// a slot go first, then the parts that no remaining variant uses.
//
// A thread that draws does this, so it must be short. Each time, it looks at a sample (parts/cache/eviction_sample.h).
// It frees so much of the sample that an eighth of the budget is free when everything has been looked at.
#pragma once

#include "parts/cache/part_cache.h"
#include "variants/assemble/known_pieces.h"
#include "variants/bind/variant_tables.h"
#include <mutex>

namespace dovetail {

// Thread-safe.
class MemoryBudget {
public:
  MemoryBudget(uint64_t bytes, VariantTables &tables, KnownPieces &knownPieces, PartCache &parts)
      : m_bytes(bytes), m_tables(tables), m_knownPieces(knownPieces), m_parts(parts) {}

  // To be called after a build. Looks at only a part of the tables, so it takes tenths of a millisecond at any size of
  // the tables, unless that does not free enough.
  void enforce();
  // True before the budget is used up, because other threads build meanwhile. They wait only when it is used up.
  bool isDue() const { return heldBytes() > m_bytes - m_bytes / 32; }
  uint64_t heldBytes() const { return m_tables.memoryBytes() + m_parts.memoryBytes(); }

private:
  void evict();

  const uint64_t m_bytes;
  VariantTables &m_tables;
  KnownPieces &m_knownPieces;
  PartCache &m_parts;
  std::mutex m_mutex;     // held by the thread that evicts; guards the members below
  size_t m_postponed = 0; // the number of calls that have nothing to do
};

} // namespace dovetail
