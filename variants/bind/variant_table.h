// SPDX-License-Identifier: MIT
//
// The variants of a device by their keys, so that programs and states that lead to the same variant share it. Each
// variant is built once (parts/cache/single_flight.h). Repeated binds do not come here (bind_table.h).
#pragma once

#include "parts/cache/single_flight.h"
#include "variants/variant.h"
#include <atomic>

template <> struct std::hash<dovetail::VariantKey> {
  size_t operator()(const dovetail::VariantKey &key) const noexcept { return key.hash.low; }
};

namespace dovetail {

// About how much memory a variant takes in its table, without its parts. nullptr takes some, too.
uint64_t memoryBytes(const Variant *variant);

// Thread-safe. nullptr is a value, too: a variant that was built and found not to be worth having.
class VariantTable {
public:
  // So many that each shard is small.
  static constexpr size_t ShardCount = 512;
  using Lookup = SingleFlight<VariantKey, VariantRef, ShardCount>::Lookup;

  // `make`: Result<VariantRef>(), called if nobody has the variant yet. Errors: those of `make`.
  template <typename Make> Result<Lookup> getOrMake(const VariantKey &key, const Make &make) {
    Result<Lookup> lookup = m_table.getOrMake(key, make);
    if (lookup && lookup->made)
      add(lookup->value);
    return lookup;
  }

  // nullptr if there is none.
  VariantRef find(const VariantKey &key) const { return m_table.find(key).value_or(nullptr); }
  // The same; nothing if the key is not in the table, so that nullptr is distinguished.
  std::optional<VariantRef> findValue(const VariantKey &key) const { return m_table.find(key); }

  // Puts a variant in the place of the one that the key has, if it has one.
  void exchange(const VariantKey &key, const VariantRef &variant);

  // Calls visit(key, variant, lastUse) for the variants in a piece; see SingleFlight.
  template <typename Visit> void forEachIn(const TablePiece &piece, const Visit &visit) const {
    m_table.forEachIn(piece, visit);
  }

  // Forgets a variant that has no more than this many references, including the table's. Returns how much memory that
  // frees; 0 if it has more references.
  uint64_t evict(const VariantKey &key, long references);

  // The number of variants that are held.
  uint64_t size() const { return m_size.load(std::memory_order_relaxed); }
  uint64_t memoryBytes() const { return m_memoryBytes.load(std::memory_order_relaxed); }
  // See SingleFlight.
  uint64_t overtakings() const { return m_table.overtakings(); }
  // The number of variants that were made: the clock of lastUse.
  uint32_t tick() const { return uint32_t(m_table.tick()); }

private:
  void add(const VariantRef &variant);
  uint64_t subtract(const VariantRef &gone);

  SingleFlight<VariantKey, VariantRef, ShardCount> m_table;
  std::atomic<uint64_t> m_size = 0;
  std::atomic<uint64_t> m_memoryBytes = 0;
};

} // namespace dovetail
