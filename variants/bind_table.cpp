// SPDX-License-Identifier: MIT
#include "variants/bind_table.h"
#include <bit>
#include <utility>
#include <vector>

namespace dovetail {

namespace {

constexpr size_t MinCells = 256;

// Up to four fifths full. A search for what is there looks at three cells then instead of one and a half, but they lie
// side by side, and what costs is whether the table is in the caches: `bind-benchmark` finds one of 100,000 variants in
// half the time that it takes if the table is twice as large.
size_t cellsFor(size_t slots) {
  return std::max(MinCells, std::bit_ceil(slots + slots / 4));
}

bool isEmpty(const VariantSlot &cell) {
  return cell.keyLow.load(std::memory_order_relaxed) == 0;
}

} // namespace

BindTable::BindTable(ReaderEpochs &epochs) : m_epochs(epochs) {
  rebuild(0, {});
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
size_t BindTable::rebuild(size_t slots, const std::function<bool(const VariantSlot &)> &mayGo) {
  auto array = std::make_shared<Array>(cellsFor(slots));
  std::vector<VariantRef> gone;
  m_size = 0;
  const size_t oldCells = m_arrayOwner ? m_arrayOwner->mask + 1 : 0;
  for (size_t from = 0; from < oldCells; ++from) {
    const VariantSlot &old = m_arrayOwner->cells[from];
    if (isEmpty(old))
      continue;
    if (mayGo && mayGo(old)) {
      gone.push_back(std::move(m_arrayOwner->owners[from]));
      continue;
    }
    ++m_size;
    size_t to = put(*array, old.key());
    VariantSlot &slot = array->cells[to];
    // A bind that counts in the old place meanwhile does not count.
    slot.current.store(old.current.load(std::memory_order_relaxed), std::memory_order_relaxed);
    slot.lastUse.store(old.lastUse.load(std::memory_order_relaxed), std::memory_order_relaxed);
    slot.countdown.store(old.countdown.load(std::memory_order_relaxed), std::memory_order_relaxed);
    slot.build.store(old.build.load(std::memory_order_relaxed), std::memory_order_relaxed);
    array->owners[to] = std::move(m_arrayOwner->owners[from]);
  }
  std::shared_ptr<Array> old = std::exchange(m_arrayOwner, std::move(array));
  m_array.store(m_arrayOwner.get(), std::memory_order_seq_cst);
  m_memoryBytes.store((m_arrayOwner->mask + 1) * (sizeof(VariantSlot) + sizeof(VariantRef)), std::memory_order_relaxed);
  if (!old)
    return 0;

  // Beyond this point, whoever begins to read finds the new array.
  for (size_t from = 0; from < oldCells; ++from)
    old->cells[from].current.store(nullptr, std::memory_order_release);
  const Array *address = old.get();
  m_epochs.retire(std::move(old), address);
  for (VariantRef &variant : gone)
    if (variant)
      m_epochs.retire(variant, variant.get());
  return gone.size();
}

void BindTable::withSlot(const Hash128 &key, const std::function<void(VariantSlot &)> &change) {
  std::scoped_lock lock(m_mutex);
  VariantSlot *slot = find(key).slot;
  if (!slot) {
    if (cellsFor(m_size + 1) > m_arrayOwner->mask + 1)
      rebuild(m_size + 1, {});
    slot = &m_arrayOwner->cells[put(*m_arrayOwner, key)];
    ++m_size;
  }
  change(*slot);
}

bool BindTable::withExistingSlot(const Hash128 &key, const std::function<void(VariantSlot &)> &change) {
  std::scoped_lock lock(m_mutex);
  VariantSlot *slot = find(key).slot;
  if (slot)
    change(*slot);
  return slot != nullptr;
}

VariantRef BindTable::setCurrent(VariantSlot &slot, VariantRef variant) {
  VariantRef &owner = m_arrayOwner->owners[size_t(&slot - m_arrayOwner->cells.get())];
  VariantRef old = std::exchange(owner, std::move(variant));
  slot.current.store(owner.get(), std::memory_order_seq_cst);
  if (old)
    m_epochs.retire(old, old.get());
  return old;
}

void BindTable::forEach(const std::function<void(const VariantSlot &)> &visit) const {
  std::scoped_lock lock(m_mutex);
  for (size_t index = 0; index <= m_arrayOwner->mask; ++index)
    if (!isEmpty(m_arrayOwner->cells[index]))
      visit(m_arrayOwner->cells[index]);
}

size_t BindTable::removeIf(const std::function<bool(const VariantSlot &)> &mayGo) {
  std::scoped_lock lock(m_mutex);
  return rebuild(m_size, mayGo);
}

size_t BindTable::size() const {
  std::scoped_lock lock(m_mutex);
  return m_size;
}

} // namespace dovetail
