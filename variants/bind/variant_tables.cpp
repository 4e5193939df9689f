// SPDX-License-Identifier: MIT
#include "variants/bind/variant_tables.h"
#include <algorithm>

namespace dovetail {

VariantTables::VariantTables() : m_slots(m_epochs) {}

void VariantTables::removeReader(Reader &reader) {
  m_epochs.remove(reader);
  m_epochs.collect();
}

bool VariantTables::findFurther(const Hash128 &slotKey, Reader &reader, Place &place) const {
  Place found;
  do
    found = m_slots.find(slotKey);
  while (found && !found.variant() && m_slots.hasMoved(slotKey, found));
  if (!found.variant()) {
    m_epochs.leave(reader);
    return false;
  }
  take(found, reader, place);
  return true;
}

void VariantTables::fillSlot(const Hash128 &slotKey, const VariantRef &variant, uint32_t countdown) {
  m_usePeriods.advance(m_variants.tick(), m_variants.size());
  withSlot(slotKey, [&](VariantSlot &slot) {
    if (!slot.current()) { // otherwise another thread was first, and the variant may be optimised already
      setCurrent(slot, variant);
      slot.setCountdown(countdown);
    }
    noteUse(*slot.lastUse, usePeriod());
  });
}

std::vector<std::pair<VariantRef, SlotUsers>>
VariantTables::replace(const std::unordered_map<Hash128, SlotUsers> &slots, const VariantRef &variant,
                       Replaced replaced) {
  // One for each user, unless a slot's variant was evicted and built again.
  std::vector<std::pair<VariantRef, SlotUsers>> allReplaced;
  allReplaced.reserve(slots.size());
  for (const auto &[slotKey, users] : slots) {
    VariantRef before;
    withExistingSlot(slotKey, [&](VariantSlot &slot) {
      if (replaced == Replaced::FirstCode && !(slot.current() && hasFirstCode(*slot.current())))
        return;
      if (slot.current() != variant.get())
        before = setCurrent(slot, variant);
      if (replaced == Replaced::Any)
        slot.setCountdown(0);
    });
    if (before && std::ranges::find(allReplaced, std::pair(before, users)) == allReplaced.end())
      allReplaced.emplace_back(std::move(before), users);
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
