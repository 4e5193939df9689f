// SPDX-License-Identifier: MIT
//
// The bind table: slots by key, for binds. Reading takes no lock and writes nothing that is shared; writing is for
// builders and eviction, under a lock.
//
// It is a table with open addressing, whose cells are filled once and never emptied, so a search ends at the first
// empty cell. Growing and removing make a new array and retire the old one (reader_epochs.h); removals come in bulk,
// because eviction removes many at once. Beside the pointer, a cell has half of the slot's key, so that slots of other
// keys are not touched on the way: among many variants, a search costs one cache miss for the cell and one for the
// slot.
#pragma once

#include "variants/reader_epochs.h"
#include "variants/variant_slot.h"
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace dovetail {

// Thread-safe.
class BindTable {
public:
  explicit BindTable(ReaderEpochs &epochs);
  // Nobody may read it any more.
  ~BindTable();

  // nullptr if there is none. For readers: between enter() and leave().
  VariantSlot *find(const Hash128 &key) const {
    const Array *array = m_array.load(std::memory_order_seq_cst);
    for (size_t index = key.high;; ++index) {
      const Cell &cell = array->cells[index & array->mask];
      VariantSlot *slot = cell.slot.load(std::memory_order_acquire);
      if (!slot)
        return nullptr;
      if (cell.keyLow.load(std::memory_order_relaxed) == key.low && slot->key.high == key.high)
        return slot;
    }
  }

  // Calls change(slot) with the slot of the key, which is made if it is missing, under the lock.
  void withSlot(const Hash128 &key, const std::function<void(VariantSlot &slot)> &change);
  // The same, but does nothing and returns false if there is no slot.
  bool withExistingSlot(const Hash128 &key, const std::function<void(VariantSlot &slot)> &change);

  // Under the lock, for a slot that withSlot() or withExistingSlot() gave: makes the variant the one that is bound, and
  // returns the one that was, nullptr if none.
  VariantRef setCurrent(VariantSlot &slot, VariantRef variant);

  // Visits all slots, under the lock.
  void forEach(const std::function<void(const VariantSlot &slot)> &visit) const;
  // Removes those of which mayGo(slot) is true; the lock is held. Returns how many these were.
  size_t removeIf(const std::function<bool(const VariantSlot &slot)> &mayGo);

  size_t size() const;
  // Of the array and the slots.
  uint64_t memoryBytes() const { return m_memoryBytes.load(std::memory_order_relaxed); }

private:
  struct Cell {
    std::atomic<uint64_t> keyLow = 0;          // written before `slot`
    std::atomic<VariantSlot *> slot = nullptr; // nullptr: empty
  };
  struct Array {
    explicit Array(size_t size) : cells(std::make_unique<Cell[]>(size)), mask(size - 1) {}
    std::unique_ptr<Cell[]> cells;
    size_t mask; // the number of cells is a power of two
  };

  VariantSlot *insert(const Hash128 &key);
  static void put(Array &array, VariantSlot *slot);
  void rebuild(size_t slots);

  ReaderEpochs &m_epochs;
  std::atomic<Array *> m_array;
  std::atomic<uint64_t> m_memoryBytes = 0;
  mutable std::mutex m_mutex; // guards what follows, and all changes
  std::shared_ptr<Array> m_arrayOwner;
  std::vector<std::unique_ptr<VariantSlot>> m_slots;
};

} // namespace dovetail
