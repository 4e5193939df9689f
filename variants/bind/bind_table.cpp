// SPDX-License-Identifier: MIT
#include "variants/bind/bind_table.h"
#include <algorithm>
#include <bit>
#include <cassert>
#include <memory>
#include <utility>
#include <vector>

namespace dovetail {

namespace {

// Up to four fifths full, so that there is always an empty cell. The cost of a look-up depends on whether the table is
// in the caches: with a table of twice the size, `bind-benchmark` takes twice as long to find one of 100,000 variants.
size_t linesFor(size_t slots, size_t cellsInLine) {
  return std::bit_ceil((slots + slots / 4 + 1 + cellsInLine - 1) / cellsInLine);
}

} // namespace

BindTable::Array::Array(size_t count, std::shared_ptr<void> bytes)
    : memory(std::move(bytes)), lines(static_cast<Line *>(memory.get())),
      slots(reinterpret_cast<VariantSlot *>(lines + count)), mask(count - 1) {
  assert(reinterpret_cast<uintptr_t>(lines) % CacheLineBytes == 0);
  std::uninitialized_value_construct_n(lines, count);
  std::uninitialized_value_construct_n(slots, cellCount());
}

BindTable::Array::~Array() {
  std::destroy_n(slots, cellCount());
  std::destroy_n(lines, mask + 1);
}

BindTable::BindTable(ReaderEpochs &epochs) : m_epochs(epochs) {
  // All shards begin with one line, in one piece of memory, so that the first slots of a device allocate nothing.
  const size_t stride = (Array::bytesFor(1) + CacheLineBytes - 1) / CacheLineBytes * CacheLineBytes;
  const std::shared_ptr<std::byte[]> first(
      new (std::align_val_t(CacheLineBytes)) std::byte[ShardCount * stride],
      [](std::byte *bytes) { ::operator delete[](bytes, std::align_val_t(CacheLineBytes)); });
  for (size_t shard = 0; shard < ShardCount; ++shard) {
    std::shared_ptr<void> bytes(first, first.get() + shard * stride);
    m_shards[shard].array = std::make_shared<Array>(1, std::move(bytes));
    m_lines[shard].store(Lines::pack(m_shards[shard].array->lines, 1), std::memory_order_relaxed);
  }
}

BindTable::~BindTable() = default;

// Searches cell by cell, for a slot that is not in the first line, or shares half of its key with another.
BindTable::Place BindTable::search(uint64_t packed, const Hash128 &key) {
  const Lines lines(packed);
  for (size_t number = lineOf(key.high);; ++number) {
    Line &line = lines.first[number & lines.mask];
    for (size_t index = 0; index < CellsInLine; ++index) {
      if (line.has(index, key.low))
        if (const BoundVariant bound(line.bound[index].load(std::memory_order_seq_cst)); bound.mayBe(key.high))
          return {packed, &line, index, bound};
      if (!line.first[index].load(std::memory_order_acquire))
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
  slot.lastUse = &line.lastUse[index % CellsInLine];
  slot.cell->store(BoundVariant(key.high, nullptr).bits(), std::memory_order_relaxed);
  line.second[index % CellsInLine].store(Line::secondOf(key.low), std::memory_order_relaxed);
  // Readers read this first, so it is written last.
  line.first[index % CellsInLine].store(Line::firstOf(key.low), std::memory_order_release);
  return slot;
}

// Makes a new array for this many slots, with the old slots that may not go. Returns how many slots went.
size_t BindTable::rebuild(size_t shardIndex, size_t slots, const std::function<bool(const VariantSlot &)> &mayGo) {
  Shard &shard = m_shards[shardIndex];
  const std::shared_ptr<Array> old = shard.array;
  const size_t oldCells = old->cellCount();
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
  if (gone == 0 && linesFor(slots, CellsInLine) == old->mask + 1)
    return 0;
  const size_t lines = linesFor(slots - gone, CellsInLine);
  auto array = std::make_shared<Array>(lines, m_memory.allocate(Array::bytesFor(lines)));
  removal.add(old, old->lines);

  // Beyond this point, nothing is allocated.
  for (size_t from = 0; from < oldCells; ++from) {
    if (old->isEmpty(from) || goes[from])
      continue;
    VariantSlot &before = old->slots[from];
    VariantSlot &slot = put(*array, before.key);
    // A bind that counts in the old array meanwhile is not counted.
    slot.countdown.store(before.countdown.load(std::memory_order_relaxed), std::memory_order_relaxed);
    slot.lastUse->store(before.lastUse->load(std::memory_order_relaxed), std::memory_order_relaxed);
    slot.owner = std::move(before.owner);
    slot.cell->store(before.cell->load(std::memory_order_relaxed), std::memory_order_relaxed);
  }
  const uint64_t bytesBefore = shard.bytes();
  shard.size -= gone;
  m_size.fetch_sub(gone, std::memory_order_relaxed);
  shard.array = std::move(array);
  m_memoryBytes.fetch_add(shard.bytes() - bytesBefore, std::memory_order_relaxed);
  m_lines[shardIndex].store(Lines::pack(shard.array->lines, shard.array->mask + 1), std::memory_order_seq_cst);

  // Beyond this point, readers that begin find the new array.
  for (size_t from = 0; from < oldCells; ++from) {
    if (old->isEmpty(from))
      continue;
    VariantSlot &slot = old->slots[from];
    slot.cell->store(BoundVariant(slot.key.high, nullptr).bits(), std::memory_order_release);
    if (const VariantRef owner = std::move(slot.owner)) // only slots that go still have an owner
      owner->slotCount.fetch_sub(1, std::memory_order_relaxed);
  }
  m_epochs.retire(std::move(removal));
  return gone;
}

VariantSlot &BindTable::insert(const Hash128 &key) {
  const size_t index = shardOf(key.high);
  Shard &shard = m_shards[index];
  if (linesFor(shard.size + 1, CellsInLine) > shard.array->mask + 1)
    rebuild(index, shard.size + 1, {});
  VariantSlot &slot = put(*shard.array, key);
  if (shard.size++ == 0)
    m_memoryBytes.fetch_add(shard.bytes(), std::memory_order_relaxed);
  m_size.fetch_add(1, std::memory_order_relaxed);
  return slot;
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
  const size_t cells = shard.array->cellCount();
  for (size_t index = piece.begin(cells); index < piece.end(cells); ++index)
    if (!shard.array->isEmpty(index))
      visit(shard.array->slots[index]);
}

size_t BindTable::removeIf(size_t shardIndex, const std::function<bool(const VariantSlot &)> &mayGo) {
  Shard &shard = m_shards[shardIndex];
  std::scoped_lock lock(shard.mutex);
  return rebuild(shardIndex, shard.size, mayGo);
}

} // namespace dovetail
