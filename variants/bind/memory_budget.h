// SPDX-License-Identifier: MIT
//
// The budget. When variants and parts exceed it, those go to which nobody outside of the tables refers and that no
// Binder has bound, the least recently used first: of slots with their variants and of variants without a slot, then of
// the parts that no variant is left to use.
//
// A thread that draws does it, so it must be short. Each time it looks at a sample (parts/cache/eviction_sample.h), and
// frees so much of it that an eighth of the budget is free when all has been looked at.
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

  // To be called by those who built something. Looks at a part of the tables only, so it takes tenths of a millisecond
  // however large they are, unless that does not bring enough.
  void enforce();
  // Before the budget is used up, because others build meanwhile. They wait only if it is.
  bool isDue() const { return heldBytes() > m_bytes - m_bytes / 32; }
  uint64_t heldBytes() const { return m_tables.memoryBytes() + m_parts.memoryBytes(); }

private:
  void evict();

  const uint64_t m_bytes;
  VariantTables &m_tables;
  KnownPieces &m_knownPieces;
  PartCache &m_parts;
  std::mutex m_mutex;     // held by the one who evicts; guards what follows
  size_t m_postponed = 0; // how many calls have nothing to do
};

} // namespace dovetail
