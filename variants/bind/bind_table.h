// SPDX-License-Identifier: MIT
//
// The bind table: slots by key, for binds. Reading takes no lock and writes nothing that is shared; writing is for
// builders and eviction, under a lock.
//
// It is split by key into shards, so that what a writer does at once takes as long as one shard is large. A shard is an
// array with open addressing, whose cells are the slots themselves. A cell is filled once and never emptied, so a
// search ends at the first empty one. Growing and removing make a new array and retire the old one (reader_epochs.h);
// removals come in bulk, because eviction removes many at once. The slots of an old array are left without a variant:
// whoever still has one pinned notices that it has to look again.
//
// If memory runs out, what throws has changed nothing: all that a change needs is allocated before it begins.
#pragma once

#include "parts/cache/eviction_sample.h"
#include "variants/bind/cell_memory.h"
#include "variants/bind/reader_epochs.h"
#include "variants/bind/variant_slot.h"
#include <array>
#include <bit>
#include <functional>
#include <memory>
#include <mutex>

namespace dovetail {

// Thread-safe.
class BindTable {
public:
  // So many that none is large: a bind that has one grow waits for all of it.
  static constexpr size_t ShardCount = 256;

  explicit BindTable(ReaderEpochs &epochs);
  // Nobody may read it any more.
  ~BindTable();

  struct Place {
    VariantSlot *slot = nullptr;
    const void *array = nullptr; // what keeps the slot in memory if it is pinned: its first cell
  };
  // Has the cell where a search begins fetched. Anybody may, at any time.
  void prefetch(const Hash128 &key) const {
    const Cells cells(m_cells[shardOf(key.high)].load(std::memory_order_relaxed));
    __builtin_prefetch(cells.first + (key.high & cells.mask));
  }
  // No slot if there is none. The key's low half is not 0. For readers: between enter() and leave().
  Place find(const Hash128 &key) const {
    const Cells cells(m_cells[shardOf(key.high)].load(std::memory_order_seq_cst));
    for (size_t index = key.high;; ++index) {
      VariantSlot &slot = cells.first[index & cells.mask];
      uint64_t low = slot.keyLow.load(std::memory_order_acquire);
      if (low == key.low && slot.keyHigh.load(std::memory_order_relaxed) == key.high)
        return {&slot, cells.first};
      if (!low)
        return {};
    }
  }
  // Whether the slot of this place is elsewhere since it was found.
  bool hasMoved(const Place &place) const {
    return Cells(m_cells[shardOf(place.slot->key().high)].load(std::memory_order_seq_cst)).first != place.array;
  }

  // Calls change(slot) with the slot of the key, which is made if it is missing, under the lock.
  void withSlot(const Hash128 &key, const std::function<void(VariantSlot &slot)> &change);
  // The same, but does nothing and returns false if there is no slot.
  bool withExistingSlot(const Hash128 &key, const std::function<void(VariantSlot &slot)> &change);

  // Under the lock, for a slot that withSlot() or withExistingSlot() gave: makes the variant the one that is bound, and
  // returns the one that was, nullptr if none.
  VariantRef setCurrent(VariantSlot &slot, VariantRef variant);

  // Visits the slots in a piece of the table, under its shard's lock.
  void forEachIn(const TablePiece &piece, const std::function<void(const VariantSlot &slot)> &visit) const;
  // Removes those slots of a shard of which mayGo(slot) is true; its lock is held. Returns how many these were.
  size_t removeIf(size_t shard, const std::function<bool(const VariantSlot &slot)> &mayGo);

  size_t size() const;
  uint64_t memoryBytes() const { return m_memoryBytes.load(std::memory_order_relaxed); }

private:
  // The cells of an array as one number: the address of the first, and the logarithm of how many there are in the bits
  // that are 0 in the address. So finding a cell takes one load, and that of an array that goes meanwhile does no harm.
  struct Cells {
    static constexpr uint64_t CountBits = CacheLineBytes - 1;
    explicit Cells(uint64_t packed)
        : first(reinterpret_cast<VariantSlot *>(packed & ~CountBits)), mask((uint64_t(1) << (packed & CountBits)) - 1) {
    }
    static uint64_t pack(const VariantSlot *first, size_t count) {
      return reinterpret_cast<uint64_t>(first) | uint64_t(std::countr_zero(count));
    }

    VariantSlot *first;
    uint64_t mask;
  };
  struct Array {
    // `size`: a power of two.
    Array(size_t size, CellMemory &memory);
    ~Array();
    uint64_t bytes() const { return bytesFor(mask + 1); }
    static uint64_t bytesFor(size_t size) { return size * (sizeof(VariantSlot) + sizeof(VariantRef)); }

    const std::shared_ptr<void> memory;
    VariantSlot *const cells;
    VariantRef *const owners; // what each cell's `current` points to; under the lock
    const size_t mask;
  };
  struct Shard {
    mutable std::mutex mutex;     // guards what follows, and all changes
    std::shared_ptr<Array> array; // nullptr: it never had a slot
    size_t size = 0;
  };

  // By the bits that the search within a shard does not begin with.
  static size_t shardOf(uint64_t keyHigh) { return keyHigh >> 56; }
  static_assert(ShardCount == size_t(1) << (64 - 56));

  static size_t put(Array &array, const Hash128 &key);
  size_t rebuild(size_t shard, size_t slots, const std::function<bool(const VariantSlot &)> &mayGo);

  ReaderEpochs &m_epochs;
  CellMemory m_memory;
  alignas(CacheLineBytes) VariantSlot m_noSlot; // empty
  // What readers read, apart from what writers write; those of each shard's array, or m_noSlot.
  alignas(CacheLineBytes) std::array<std::atomic<uint64_t>, ShardCount> m_cells = {};
  alignas(CacheLineBytes) std::array<Shard, ShardCount> m_shards;
  std::atomic<uint64_t> m_memoryBytes = 0;
};

} // namespace dovetail
