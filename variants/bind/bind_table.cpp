// SPDX-License-Identifier: MIT
#include "variants/bind/bind_table.h"
#include <algorithm>
#include <bit>
#include <memory>
#include <utility>
#include <vector>

namespace dovetail {

namespace {

// Up to four fifths full, so that there is always an empty cell. What costs is whether the table is in the caches:
// `bind-benchmark` finds one of 100,000 variants in half the time that it takes if the table is twice as large.
size_t linesFor(size_t slots, size_t cellsInLine) {
  return std::bit_ceil((slots + slots / 4 + 1 + cellsInLine - 1) / cellsInLine);
}

} // namespace

BindTable::Array::Array(size_t count, CellMemory &cellMemory)
    : memory(cellMemory.allocate(bytesFor(count))), lines(static_cast<Line *>(memory.get())),
      slots(reinterpret_cast<VariantSlot *>(lines + count)), mask(count - 1) {
  std::uninitialized_value_construct_n(lines, count);
  std::uninitialized_value_construct_n(slots, cellCount());
}

BindTable::Array::~Array() {
  std::destroy_n(slots, cellCount());
  std::destroy_n(lines, mask + 1);
}

BindTable::BindTable(ReaderEpochs &epochs) : m_epochs(epochs) {
  for (std::atomic<uint64_t> &lines : m_lines)
    lines.store(Lines::pack(&m_noLine, 1), std::memory_order_relaxed);
}

BindTable::~BindTable() = default;

// Cell by cell, for what is not in the first line, or has half of its key in common with another.
BindTable::Place BindTable::search(uint64_t packed, const Hash128 &key) {
  const Lines lines(packed);
  for (size_t number = lineOf(key.high);; ++number) {
    Line &line = lines.first[number & lines.mask];
    for (size_t index = 0; index < CellsInLine; ++index) {
      const uint64_t low = line.keyLow[index].load(std::memory_order_acquire);
      if (low == key.low)
        if (const BoundVariant bound(line.bound[index].load(std::memory_order_seq_cst)); bound.mayBe(key.high))
          return {packed, &line, index, bound};
      if (!low)
        return {};
    }
  }
}

// Takes an empty cell.
VariantSlot &BindTable::put(Array &array, const Hash128 &key) {
  size_t index = (lineOf(key.high) & array.mask) * CellsInLine;
  while (!array.isEmpty(index))
    index = (index + 1) % array.cellCount();
  Line &line = array.lines[index / CellsInLine];
  VariantSlot &slot = array.slots[index];
  slot.key = key;
  slot.cell = &line.bound[index % CellsInLine];
  slot.cell->store(BoundVariant(key.high, nullptr, 0, false).bits(), std::memory_order_relaxed);
  line.keyLow[index % CellsInLine].store(key.low, std::memory_order_release); // readers look at this first
  return slot;
}

// Makes an array for this many slots, with those that there are and may not go. Returns how many went.
size_t BindTable::rebuild(size_t shardIndex, size_t slots, const std::function<bool(const VariantSlot &)> &mayGo) {
  Shard &shard = m_shards[shardIndex];
  const std::shared_ptr<Array> old = shard.array;
  const size_t oldCells = old ? old->cellCount() : 0;
  ReaderEpochs::Removal removal;
  std::vector<bool> goes(oldCells);
  size_t gone = 0;
  for (size_t from = 0; mayGo && from < oldCells; ++from) {
    if (old->isEmpty(from) || !mayGo(old->slots[from]))
      continue;
    goes[from] = true;
    ++gone;
    if (const VariantRef &owner = old->slots[from].owner)
      removal.add(owner, owner.get());
  }
  if (old && gone == 0 && linesFor(slots, CellsInLine) == old->mask + 1)
    return 0;
  auto array = std::make_shared<Array>(linesFor(slots - gone, CellsInLine), m_memory);
  if (old)
    removal.add(old, old->lines);

  // Beyond this point, nothing is allocated.
  for (size_t from = 0; from < oldCells; ++from) {
    if (old->isEmpty(from) || goes[from])
      continue;
    VariantSlot &before = old->slots[from];
    VariantSlot &slot = put(*array, before.key);
    // A bind that counts in the old place meanwhile does not count.
    slot.countdown.store(before.countdown.load(std::memory_order_relaxed), std::memory_order_relaxed);
    slot.build.store(before.build.load(std::memory_order_relaxed), std::memory_order_relaxed);
    slot.owner = std::move(before.owner);
    slot.cell->store(before.cell->load(std::memory_order_relaxed), std::memory_order_relaxed);
  }
  shard.size -= gone;
  m_memoryBytes.fetch_add(array->bytes() - (old ? old->bytes() : 0), std::memory_order_relaxed);
  shard.array = std::move(array);
  m_lines[shardIndex].store(Lines::pack(shard.array->lines, shard.array->mask + 1), std::memory_order_seq_cst);
  if (!old)
    return 0;

  // Beyond this point, whoever begins to read finds the new array.
  for (size_t from = 0; from < oldCells; ++from) {
    if (old->isEmpty(from))
      continue;
    VariantSlot &slot = old->slots[from];
    slot.cell->store(BoundVariant(slot.key.high, nullptr, 0, false).bits(), std::memory_order_release);
    if (const VariantRef owner = std::move(slot.owner)) // it goes
      owner->slotCount.fetch_sub(1, std::memory_order_relaxed);
  }
  m_epochs.retire(std::move(removal));
  return gone;
}

void BindTable::withSlot(const Hash128 &key, const std::function<void(VariantSlot &)> &change) {
  const size_t index = shardOf(key.high);
  Shard &shard = m_shards[index];
  std::scoped_lock lock(shard.mutex);
  if (const Place place = find(key)) {
    change(place.slot());
    return;
  }
  if (!shard.array || linesFor(shard.size + 1, CellsInLine) > shard.array->mask + 1)
    rebuild(index, shard.size + 1, {});
  VariantSlot &slot = put(*shard.array, key);
  ++shard.size;
  change(slot);
}

bool BindTable::withExistingSlot(const Hash128 &key, const std::function<void(VariantSlot &)> &change) {
  std::scoped_lock lock(m_shards[shardOf(key.high)].mutex);
  const Place place = find(key);
  if (place)
    change(place.slot());
  return bool(place);
}

VariantRef BindTable::setCurrent(VariantSlot &slot, VariantRef variant) {
  ReaderEpochs::Removal removal;
  if (slot.owner)
    removal.add(slot.owner, slot.owner.get());

  // Beyond this point, nothing is allocated.
  VariantRef old = std::exchange(slot.owner, std::move(variant));
  if (slot.owner)
    slot.owner->slotCount.fetch_add(1, std::memory_order_relaxed);
  uint64_t before = slot.cell->load(std::memory_order_relaxed);
  while (!slot.cell->compare_exchange_weak(before, BoundVariant(before).with(slot.owner.get()).bits(),
                                           std::memory_order_seq_cst)) {
  }
  if (old) {
    old->slotCount.fetch_sub(1, std::memory_order_relaxed);
    m_epochs.retire(std::move(removal));
  }
  return old;
}

void BindTable::forEachIn(const TablePiece &piece, const std::function<void(const VariantSlot &)> &visit) const {
  const Shard &shard = m_shards[piece.shard];
  std::scoped_lock lock(shard.mutex);
  const size_t cells = shard.array ? shard.array->cellCount() : 0;
  for (size_t index = piece.begin(cells); index < piece.end(cells); ++index)
    if (!shard.array->isEmpty(index))
      visit(shard.array->slots[index]);
}

size_t BindTable::removeIf(size_t shardIndex, const std::function<bool(const VariantSlot &)> &mayGo) {
  Shard &shard = m_shards[shardIndex];
  std::scoped_lock lock(shard.mutex);
  return shard.array ? rebuild(shardIndex, shard.size, mayGo) : 0;
}

size_t BindTable::size() const {
  size_t size = 0;
  for (const Shard &shard : m_shards) {
    std::scoped_lock lock(shard.mutex);
    size += shard.size;
  }
  return size;
}

} // namespace dovetail
