// SPDX-License-Identifier: MIT
#include "variants/bind/bind_table.h"
#include <algorithm>
#include <bit>
#include <memory>
#include <utility>
#include <vector>

namespace dovetail {

namespace {

constexpr size_t MinCells = 4;

// Up to four fifths full, so that there is always an empty cell. A search for what is there looks at three cells then
// instead of one and a half, but they lie side by side, and what costs is whether the table is in the caches:
// `bind-benchmark` finds one of 100,000 variants in half the time that it takes if the table is twice as large.
size_t cellsFor(size_t slots) {
  return std::max(MinCells, std::bit_ceil(slots + slots / 4 + 1));
}

bool isEmpty(const VariantSlot &cell) {
  return cell.keyLow.load(std::memory_order_relaxed) == 0;
}

} // namespace

BindTable::Array::Array(size_t size, CellMemory &cellMemory)
    : memory(cellMemory.allocate(bytesFor(size))), cells(static_cast<VariantSlot *>(memory.get())),
      owners(reinterpret_cast<VariantRef *>(cells + size)), mask(size - 1) {
  std::uninitialized_value_construct_n(cells, size);
  std::uninitialized_value_construct_n(owners, size);
}

BindTable::Array::~Array() {
  std::destroy_n(owners, mask + 1);
  std::destroy_n(cells, mask + 1);
}

BindTable::BindTable(ReaderEpochs &epochs) : m_epochs(epochs) {
  for (std::atomic<uint64_t> &cells : m_cells)
    cells.store(Cells::pack(&m_noSlot, 1), std::memory_order_relaxed);
}

BindTable::~BindTable() = default;

// Takes an empty cell.
size_t BindTable::put(Array &array, const Hash128 &key) {
  size_t index = key.high & array.mask;
  while (!isEmpty(array.cells[index]))
    index = (index + 1) & array.mask;
  VariantSlot &cell = array.cells[index];
  cell.keyHigh.store(key.high, std::memory_order_relaxed);
  cell.keyLow.store(key.low, std::memory_order_release); // readers look at this first
  return index;
}

// Makes an array for this many slots, with those that there are and may not go. Returns how many went.
size_t BindTable::rebuild(size_t shardIndex, size_t slots, const std::function<bool(const VariantSlot &)> &mayGo) {
  Shard &shard = m_shards[shardIndex];
  const std::shared_ptr<Array> old = shard.array;
  const size_t oldCells = old ? old->mask + 1 : 0;
  ReaderEpochs::Removal removal;
  std::vector<bool> goes(oldCells);
  size_t gone = 0;
  for (size_t from = 0; mayGo && from < oldCells; ++from) {
    if (isEmpty(old->cells[from]) || !mayGo(old->cells[from]))
      continue;
    goes[from] = true;
    ++gone;
    if (const VariantRef &owner = old->owners[from])
      removal.add(owner, owner.get());
  }
  if (old && gone == 0 && cellsFor(slots) == oldCells)
    return 0;
  auto array = std::make_shared<Array>(cellsFor(slots - gone), m_memory);
  if (old)
    removal.add(old, old->cells);

  // Beyond this point, nothing is allocated.
  for (size_t from = 0; from < oldCells; ++from) {
    const VariantSlot &cell = old->cells[from];
    if (isEmpty(cell) || goes[from])
      continue;
    size_t to = put(*array, cell.key());
    VariantSlot &slot = array->cells[to];
    // A bind that counts in the old place meanwhile does not count.
    slot.current.store(cell.current.load(std::memory_order_relaxed), std::memory_order_relaxed);
    slot.lastUse.store(cell.lastUse.load(std::memory_order_relaxed), std::memory_order_relaxed);
    slot.countdown.store(cell.countdown.load(std::memory_order_relaxed), std::memory_order_relaxed);
    slot.build.store(cell.build.load(std::memory_order_relaxed), std::memory_order_relaxed);
    array->owners[to] = std::move(old->owners[from]);
  }
  shard.size -= gone;
  m_memoryBytes.fetch_add(array->bytes() - (old ? old->bytes() : 0), std::memory_order_relaxed);
  shard.array = std::move(array);
  m_cells[shardIndex].store(Cells::pack(shard.array->cells, shard.array->mask + 1), std::memory_order_seq_cst);
  if (!old)
    return 0;

  // Beyond this point, whoever begins to read finds the new array.
  for (size_t from = 0; from < oldCells; ++from) {
    old->cells[from].current.store(nullptr, std::memory_order_release);
    if (const VariantRef owner = std::move(old->owners[from])) // it goes
      owner->slotCount.fetch_sub(1, std::memory_order_relaxed);
  }
  m_epochs.retire(std::move(removal));
  return gone;
}

void BindTable::withSlot(const Hash128 &key, const std::function<void(VariantSlot &)> &change) {
  const size_t index = shardOf(key.high);
  Shard &shard = m_shards[index];
  std::scoped_lock lock(shard.mutex);
  VariantSlot *slot = find(key).slot;
  if (!slot) {
    if (!shard.array || cellsFor(shard.size + 1) > shard.array->mask + 1)
      rebuild(index, shard.size + 1, {});
    slot = &shard.array->cells[put(*shard.array, key)];
    ++shard.size;
  }
  change(*slot);
}

bool BindTable::withExistingSlot(const Hash128 &key, const std::function<void(VariantSlot &)> &change) {
  std::scoped_lock lock(m_shards[shardOf(key.high)].mutex);
  VariantSlot *slot = find(key).slot;
  if (slot)
    change(*slot);
  return slot != nullptr;
}

VariantRef BindTable::setCurrent(VariantSlot &slot, VariantRef variant) {
  Array &array = *m_shards[shardOf(slot.key().high)].array;
  VariantRef &owner = array.owners[size_t(&slot - array.cells)];
  ReaderEpochs::Removal removal;
  if (owner)
    removal.add(owner, owner.get());

  // Beyond this point, nothing is allocated.
  VariantRef old = std::exchange(owner, std::move(variant));
  if (owner)
    owner->slotCount.fetch_add(1, std::memory_order_relaxed);
  slot.current.store(owner.get(), std::memory_order_seq_cst);
  if (old) {
    old->slotCount.fetch_sub(1, std::memory_order_relaxed);
    m_epochs.retire(std::move(removal));
  }
  return old;
}

void BindTable::forEachIn(const TablePiece &piece, const std::function<void(const VariantSlot &)> &visit) const {
  const Shard &shard = m_shards[piece.shard];
  std::scoped_lock lock(shard.mutex);
  const size_t cells = shard.array ? shard.array->mask + 1 : 0;
  for (size_t index = piece.begin(cells); index < piece.end(cells); ++index)
    if (!isEmpty(shard.array->cells[index]))
      visit(shard.array->cells[index]);
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
