// SPDX-License-Identifier: MIT
#include "variants/bind_table.h"
#include <algorithm>
#include <bit>
#include <iterator>

namespace dovetail {

namespace {

constexpr size_t MinCells = 256;

// No more than half full, so that a search for what is there looks at one and a half cells.
size_t cellsFor(size_t slots) {
  return std::max(MinCells, std::bit_ceil(slots * 2));
}

} // namespace

BindTable::BindTable(ReaderEpochs &epochs) : m_epochs(epochs), m_arrayOwner(std::make_shared<Array>(MinCells)) {
  m_array.store(m_arrayOwner.get(), std::memory_order_seq_cst);
  m_memoryBytes = MinCells * sizeof(Cell);
}

BindTable::~BindTable() = default;

void BindTable::put(Array &array, VariantSlot *slot) {
  for (size_t index = slot->key.high;; ++index) {
    Cell &cell = array.cells[index & array.mask];
    if (cell.slot.load(std::memory_order_relaxed))
      continue;
    cell.keyLow.store(slot->key.low, std::memory_order_relaxed);
    cell.slot.store(slot, std::memory_order_release);
    return;
  }
}

// An array for this many slots, with those that there are.
void BindTable::rebuild(size_t slots) {
  auto array = std::make_shared<Array>(cellsFor(slots));
  for (const auto &slot : m_slots)
    put(*array, slot.get());
  std::shared_ptr<Array> old = std::exchange(m_arrayOwner, std::move(array));
  m_array.store(m_arrayOwner.get(), std::memory_order_seq_cst);
  m_memoryBytes.store((m_arrayOwner->mask + 1) * sizeof(Cell) + m_slots.size() * sizeof(VariantSlot),
                      std::memory_order_relaxed);
  const Array *address = old.get();
  m_epochs.retire(std::move(old), address);
}

VariantSlot *BindTable::insert(const Hash128 &key) {
  m_slots.push_back(std::make_unique<VariantSlot>(key));
  VariantSlot *slot = m_slots.back().get();
  if (cellsFor(m_slots.size()) > m_arrayOwner->mask + 1) {
    rebuild(m_slots.size() * 2); // seldom, so that growing costs a constant for each slot
    return slot;
  }
  put(*m_arrayOwner, slot);
  m_memoryBytes.fetch_add(sizeof(VariantSlot), std::memory_order_relaxed);
  return slot;
}

void BindTable::withSlot(const Hash128 &key, const std::function<void(VariantSlot &)> &change) {
  std::scoped_lock lock(m_mutex);
  VariantSlot *slot = find(key);
  if (!slot)
    slot = insert(key);
  change(*slot);
}

bool BindTable::withExistingSlot(const Hash128 &key, const std::function<void(VariantSlot &)> &change) {
  std::scoped_lock lock(m_mutex);
  VariantSlot *slot = find(key);
  if (slot)
    change(*slot);
  return slot != nullptr;
}

VariantRef BindTable::setCurrent(VariantSlot &slot, VariantRef variant) {
  VariantRef old = std::exchange(slot.owner, std::move(variant));
  slot.current.store(slot.owner.get(), std::memory_order_seq_cst);
  if (old)
    m_epochs.retire(old, old.get());
  return old;
}

void BindTable::forEach(const std::function<void(const VariantSlot &)> &visit) const {
  std::scoped_lock lock(m_mutex);
  for (const auto &slot : m_slots)
    visit(*slot);
}

size_t BindTable::removeIf(const std::function<bool(const VariantSlot &)> &mayGo) {
  std::scoped_lock lock(m_mutex);
  auto firstGone = std::partition(m_slots.begin(), m_slots.end(), [&](const auto &slot) { return !mayGo(*slot); });
  std::vector<std::unique_ptr<VariantSlot>> gone(std::make_move_iterator(firstGone),
                                                 std::make_move_iterator(m_slots.end()));
  if (gone.empty())
    return 0;
  m_slots.erase(firstGone, m_slots.end());
  rebuild(m_slots.size() + m_slots.size() / 2);

  // Beyond this point, nobody finds them. Who still has one pinned finds nothing in it and looks it up again.
  for (auto &slot : gone) {
    setCurrent(*slot, nullptr);
    const VariantSlot *address = slot.get();
    m_epochs.retire(std::shared_ptr<const VariantSlot>(std::move(slot)), address);
  }
  return gone.size();
}

size_t BindTable::size() const {
  std::scoped_lock lock(m_mutex);
  return m_slots.size();
}

} // namespace dovetail
