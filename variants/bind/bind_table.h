// SPDX-License-Identifier: MIT
//
// The bind table: slots by key, for binds. Readers take no lock and write nothing that is shared. Builders and eviction
// write, under a lock.
//
// The table is split by key into shards, so that a single change takes only as long as one shard is large. A shard is
// an array with open addressing: cells, which binds read, and behind them the slots. Four cells are a cache line. They
// are compared without a branch: a processor that mispredicts a branch learns that only when the line arrives, and has
// fetched nothing else meanwhile. If the first line is full, a search goes on with the next line. Cells are filled in
// order and never emptied, so a search ends at a line whose last cell is empty. Growing and removing make a new array
// and retire the old one (reader_epochs.h). Removals come in bulk, because eviction removes many slots at once. The
// cells of an old array lose their variants, so a reader that still has a cell pinned notices that it must look again.
//
// A cell has 64 bits of a key. Another nine to twenty bits, by which shard and line are found, are given by its place.
// Two of a million keys agree in all of these bits in one of 10^13 tables.
//
// If memory runs out, a function that throws has changed nothing: it allocates everything before its change begins.
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
  static constexpr unsigned CellsInLine = 4;
  struct alignas(CacheLineBytes) Line {
    std::array<std::atomic<uint32_t>, CellsInLine> first = {};  // of the key; 0: the cell is empty
    std::array<std::atomic<uint16_t>, CellsInLine> second = {}; // of the key; both never change once they are written
    std::array<UsePeriod, CellsInLine> lastUse = {};
    std::array<BoundCell, CellsInLine> bound = {};

    // Whether this may be the cell of a key, judged by the key's low half.
    bool has(size_t index, uint64_t keyLow) const {
      return first[index].load(std::memory_order_acquire) == firstOf(keyLow) &&
             second[index].load(std::memory_order_relaxed) == secondOf(keyLow);
    }
    static uint32_t firstOf(uint64_t keyLow) { return uint32_t(keyLow) ? uint32_t(keyLow) : 1; }
    static uint16_t secondOf(uint64_t keyLow) { return uint16_t(keyLow >> 32); }
  };
  static_assert(sizeof(Line) == CacheLineBytes);

  // The lines of an array in one number: the address of the first line, and in its low bits, which are 0 in the
  // address, the logarithm of the number of lines. So one load finds a line, and it does not matter if the array is
  // replaced meanwhile.
  struct Lines {
    static constexpr uint64_t CountBits = CacheLineBytes - 1;
    explicit Lines(uint64_t packed)
        : first(reinterpret_cast<Line *>(packed & ~CountBits)), mask((uint64_t(1) << (packed & CountBits)) - 1) {}
    static uint64_t pack(const Line *first, size_t count) {
      return reinterpret_cast<uint64_t>(first) | uint64_t(std::countr_zero(count));
    }
    // The slots, one for each cell.
    VariantSlot *slots() const { return reinterpret_cast<VariantSlot *>(first + mask + 1); }

    Line *first;
    uint64_t mask;
  };

public:
  // So many that each shard is small: a bind that makes a shard grow waits for all of it.
  static constexpr size_t ShardCount = 512;
  // The memory of a slot and its cell.
  static constexpr uint64_t BytesOfSlot = sizeof(VariantSlot) + sizeof(Line) / CellsInLine;

  explicit BindTable(ReaderEpochs &epochs);
  // No reader may be left.
  ~BindTable();

  // The place of a slot that was found. Slot and cell stay in memory while array() is pinned.
  class Place {
  public:
    Place() = default; // no slot
    explicit operator bool() const { return m_line; }
    const Variant *variant() const { return m_bound.variant(); }
    BoundVariant bound() const { return m_bound; } // the cell's content when it was read
    BoundVariant read(std::memory_order order) { return m_bound = BoundVariant(m_line->bound[m_index].load(order)); }
    UsePeriod &lastUse() const { return m_line->lastUse[m_index]; }
    const void *array() const { return Lines(m_lines).first; }
    VariantSlot &slot() const {
      const Lines lines(m_lines);
      return lines.slots()[size_t(m_line - lines.first) * CellsInLine + m_index];
    }

  private:
    friend class BindTable;
    Place(uint64_t lines, Line *line, size_t index, BoundVariant bound)
        : m_lines(lines), m_line(line), m_index(index), m_bound(bound) {}

    uint64_t m_lines = 0; // packed
    Line *m_line = nullptr;
    size_t m_index = 0; // within the line
    BoundVariant m_bound;
  };

  // Starts to fetch the line where a search begins. Any thread may call it at any time.
  void prefetch(const Hash128 &key) const {
    const Lines lines(m_lines[shardOf(key.high)].load(std::memory_order_relaxed));
    __builtin_prefetch(lines.first + (lineOf(key.high) & lines.mask));
  }
  // Nothing if there is no slot. For readers: to be called between enter() and leave().
  Place find(const Hash128 &key) const {
    const Place place = findAtOnce(key);
    return place ? place : search(m_lines[shardOf(key.high)].load(std::memory_order_seq_cst), key);
  }
  // The same without a loop. In rare cases it finds nothing although there is a slot.
  Place findAtOnce(const Hash128 &key) const {
    const uint64_t packed = m_lines[shardOf(key.high)].load(std::memory_order_seq_cst);
    const Lines lines(packed);
    Line &line = lines.first[lineOf(key.high) & lines.mask];
    const uint32_t first = Line::firstOf(key.low);
    auto is = [&](size_t i) { return size_t(line.first[i].load(std::memory_order_acquire) == first); };
    // The index of the cell, if exactly one cell matches.
    const size_t index = (is(1) + 2 * is(2) + 3 * is(3)) % CellsInLine;
    const BoundVariant bound(line.bound[index].load(std::memory_order_seq_cst));
    return line.has(index, key.low) && bound.mayBe(key.high) ? Place(packed, &line, index, bound) : Place();
  }
  // Whether the slot of this key has moved since it was found.
  bool hasMoved(const Hash128 &key, const Place &place) const {
    return m_lines[shardOf(key.high)].load(std::memory_order_seq_cst) != place.m_lines;
  }

  // Calls change(slot) under the lock with the slot of the key; a missing slot is made.
  template <typename Change> void withSlot(const Hash128 &key, const Change &change) {
    std::scoped_lock lock(m_shards[shardOf(key.high)].mutex);
    const Place place = find(key);
    change(place ? place.slot() : insert(key));
  }
  // The same, but does nothing and returns false if there is no slot. Meanwhile, another thread may count the slot
  // down, and note a bind.
  template <typename Change> bool withExistingSlot(const Hash128 &key, const Change &change) {
    std::scoped_lock lock(m_shards[shardOf(key.high)].mutex);
    const Place place = find(key);
    if (place)
      change(place.slot());
    return bool(place);
  }

  // Under the lock, for a slot from withSlot() or withExistingSlot(): binds the variant, and returns the one that was
  // bound; nullptr if there was none. A running countdown goes on.
  VariantRef setCurrent(VariantSlot &slot, VariantRef variant);

  // Visits the slots in a piece of the table, under its shard's lock. Pieces are cut by cells.
  void forEachIn(const TablePiece &piece, const std::function<void(const VariantSlot &slot)> &visit) const;
  // Removes the slots of a shard for which mayGo(slot) is true; the shard's lock is held. Returns their number.
  size_t removeIf(size_t shard, const std::function<bool(const VariantSlot &slot)> &mayGo);

  size_t size() const { return m_size.load(std::memory_order_relaxed); }
  // The memory of all arrays that have a slot.
  uint64_t memoryBytes() const { return m_memoryBytes.load(std::memory_order_relaxed); }

private:
  struct Array {
    // `count`: number of lines, a power of two. `bytes`: bytesFor(count), not cleared.
    Array(size_t count, std::shared_ptr<void> bytes);
    ~Array();
    size_t cellCount() const { return (mask + 1) * CellsInLine; }
    bool isEmpty(size_t cell) const {
      return lines[cell / CellsInLine].first[cell % CellsInLine].load(std::memory_order_relaxed) == 0;
    }
    uint64_t bytes() const { return bytesFor(mask + 1); }
    static uint64_t bytesFor(size_t count) { return count * CellsInLine * BytesOfSlot; }

    const std::shared_ptr<void> memory;
    Line *const lines;
    VariantSlot *const slots; // one for each cell
    const size_t mask;
  };
  struct Shard {
    mutable std::mutex mutex; // guards the members below, and all changes
    std::shared_ptr<Array> array;
    size_t size = 0;

    uint64_t bytes() const { return size ? array->bytes() : 0; }
  };

  // shardOf(): the highest bits. lineOf(): the bits that BoundVariant does not have.
  static size_t shardOf(uint64_t keyHigh) { return keyHigh >> 55; }
  static size_t lineOf(uint64_t keyHigh) { return keyHigh >> 16; }
  static_assert(ShardCount == size_t(1) << (64 - 55));

  static Place search(uint64_t lines, const Hash128 &key);
  static VariantSlot &put(Array &array, const Hash128 &key);
  VariantSlot &insert(const Hash128 &key);
  size_t rebuild(size_t shard, size_t slots, const std::function<bool(const VariantSlot &)> &mayGo);

  ReaderEpochs &m_epochs;
  CellMemory m_memory;
  // The lines of each shard's array, which readers read, apart from the shards, which writers write.
  alignas(CacheLineBytes) std::array<std::atomic<uint64_t>, ShardCount> m_lines = {};
  alignas(CacheLineBytes) std::array<Shard, ShardCount> m_shards;
  std::atomic<size_t> m_size = 0;
  std::atomic<uint64_t> m_memoryBytes = 0;
};

} // namespace dovetail
