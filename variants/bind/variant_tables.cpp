// SPDX-License-Identifier: MIT
#include "variants/bind/variant_tables.h"
#include <algorithm>

namespace dovetail {

VariantTables::VariantTables() : m_slots(m_epochs) {}

void VariantTables::removeReader(Reader &reader) {
  m_epochs.remove(reader);
  m_epochs.collect();
}

void VariantTables::fillSlot(const Hash128 &slotKey, const VariantRef &variant, uint32_t countdown) {
  withSlot(slotKey, [&](VariantSlot &slot) {
    slot.touch(now());
    if (slot.current.load(std::memory_order_relaxed))
      return; // another thread was first, and it may be optimised already
    setCurrent(slot, variant);
    slot.setCountdown(countdown);
  });
}

std::vector<VariantRef> VariantTables::replace(std::span<const Hash128> slotKeys, const VariantRef &variant) {
  std::vector<VariantRef> allReplaced; // one, unless what the slots had was evicted and built again
  allReplaced.reserve(slotKeys.size());
  for (const Hash128 &slotKey : slotKeys) {
    VariantRef replaced;
    withExistingSlot(slotKey, [&](VariantSlot &slot) {
      if (slot.current.load(std::memory_order_relaxed) != variant.get())
        replaced = setCurrent(slot, variant);
      slot.setCountdown(0);
    });
    if (replaced && std::ranges::find(allReplaced, replaced) == allReplaced.end())
      allReplaced.push_back(std::move(replaced));
  }
  return allReplaced;
}

size_t VariantTables::removeSlots(const std::function<bool(const VariantSlot &)> &mayGo) {
  size_t count = 0;
  for (size_t shard = 0; shard < BindTable::ShardCount; ++shard)
    count += m_slots.removeIf(shard, mayGo);
  return count;
}

} // namespace dovetail
