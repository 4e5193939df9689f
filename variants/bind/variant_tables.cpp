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

std::vector<std::pair<VariantRef, SlotUsers>>
VariantTables::replace(const std::unordered_map<Hash128, SlotUsers> &slots, const VariantRef &variant) {
  // One for each user, unless what the slots had was evicted and built again.
  std::vector<std::pair<VariantRef, SlotUsers>> allReplaced;
  allReplaced.reserve(slots.size());
  for (const auto &[slotKey, users] : slots) {
    VariantRef replaced;
    withExistingSlot(slotKey, [&](VariantSlot &slot) {
      if (slot.current.load(std::memory_order_relaxed) != variant.get())
        replaced = setCurrent(slot, variant);
      slot.setCountdown(0);
    });
    if (replaced && std::ranges::find(allReplaced, std::pair(replaced, users)) == allReplaced.end())
      allReplaced.emplace_back(std::move(replaced), users);
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
