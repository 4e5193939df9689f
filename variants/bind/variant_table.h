// SPDX-License-Identifier: MIT
//
// The variants of a device by what makes them differ, so that programs and states that come to the same share one. Each
// is built once (parts/cache/single_flight.h). Binds of what was bound before do not come here (bind_table.h).
#pragma once

#include "parts/cache/single_flight.h"
#include "variants/variant.h"
#include <atomic>

template <> struct std::hash<dovetail::VariantKey> {
  size_t operator()(const dovetail::VariantKey &key) const noexcept { return key.hash.low; }
};

namespace dovetail {

// About how much memory a variant takes in its table, its parts not included. nullptr takes some, too.
uint64_t memoryBytes(const Variant *variant);

// Thread-safe. nullptr is a value, too: a variant that was built and found not to be worth having.
class VariantTable {
public:
  // So many that none is large.
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
  // The same, and nothing if it is not known whether there is one.
  std::optional<VariantRef> findValue(const VariantKey &key) const { return m_table.find(key); }

  // visit(key, variant, lastUse) for those in a piece; see SingleFlight.
  template <typename Visit> void forEachIn(const TablePiece &piece, const Visit &visit) const {
    m_table.forEachIn(piece, visit);
  }

  // Forgets a variant to which there are no more than this many references, the table's included. Returns how much
  // memory that frees; 0: there are more.
  uint64_t evict(const VariantKey &key, long references);

  // Variants that are held.
  uint64_t size() const { return m_size.load(std::memory_order_relaxed); }
  uint64_t memoryBytes() const { return m_memoryBytes.load(std::memory_order_relaxed); }
  // See SingleFlight.
  uint64_t overtakings() const { return m_table.overtakings(); }
  // How many variants were made: the clock of lastUse.
  uint32_t tick() const { return uint32_t(m_table.tick()); }

private:
  void add(const VariantRef &variant);

  SingleFlight<VariantKey, VariantRef, ShardCount> m_table;
  std::atomic<uint64_t> m_size = 0;
  std::atomic<uint64_t> m_memoryBytes = 0;
};

} // namespace dovetail
