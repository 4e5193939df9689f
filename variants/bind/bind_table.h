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
#include "variants/bind/reader_epochs.h"
#include "variants/bind/variant_slot.h"
#include <array>
#include <functional>
#include <memory>
#include <mutex>

namespace dovetail {

// Thread-safe.
class BindTable {
public:
  static constexpr size_t ShardCount = 64;

  explicit BindTable(ReaderEpochs &epochs);
  // Nobody may read it any more.
  ~BindTable();

  struct Place {
    VariantSlot *slot = nullptr;
    const void *array = nullptr; // what keeps the slot in memory if it is pinned
  };
  // No slot if there is none. The key's low half is not 0. For readers: between enter() and leave().
  Place find(const Hash128 &key) const {
    Array *array = m_arrays[shardOf(key.high)].load(std::memory_order_seq_cst);
    for (size_t index = key.high;; ++index) {
      VariantSlot &slot = array->cells[index & array->mask];
      uint64_t low = slot.keyLow.load(std::memory_order_acquire);
      if (low == key.low && slot.keyHigh.load(std::memory_order_relaxed) == key.high)
        return {&slot, array};
      if (!low)
        return {};
    }
  }
  // Whether the slot of this place is elsewhere since it was found.
  bool hasMoved(const Place &place) const {
    return m_arrays[shardOf(place.slot->key().high)].load(std::memory_order_seq_cst) != place.array;
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
  struct Array {
    explicit Array(size_t size)
        : cells(std::make_unique<VariantSlot[]>(size)), owners(std::make_unique<VariantRef[]>(size)), mask(size - 1) {}
    uint64_t bytes() const { return (mask + 1) * (sizeof(VariantSlot) + sizeof(VariantRef)); }

    std::unique_ptr<VariantSlot[]> cells;
    std::unique_ptr<VariantRef[]> owners; // what each cell's `current` points to; under the lock
    size_t mask;                          // the number of cells is a power of two
  };
  struct Shard {
    mutable std::mutex mutex; // guards what follows, and all changes
    std::shared_ptr<Array> array;
    size_t size = 0;
  };

  // By the bits that the search within a shard does not begin with.
  static size_t shardOf(uint64_t keyHigh) { return keyHigh >> 58; }
  static_assert(ShardCount == size_t(1) << (64 - 58));

  static size_t put(Array &array, const Hash128 &key);
  size_t rebuild(size_t shard, size_t slots, const std::function<bool(const VariantSlot &)> &mayGo);

  ReaderEpochs &m_epochs;
  // What readers read, apart from what writers write; each is its shard's array.
  alignas(CacheLineBytes) std::array<std::atomic<Array *>, ShardCount> m_arrays = {};
  alignas(CacheLineBytes) std::array<Shard, ShardCount> m_shards;
  std::atomic<uint64_t> m_memoryBytes = 0;
};

} // namespace dovetail
