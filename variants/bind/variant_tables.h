// SPDX-License-Identifier: MIT
//
// VariantTables: the variants of a device and the slots by which binds find them. Three tables change together:
//
//   VariantTable  each variant once, by its key
//   BindTable     the variant that is bound for a program, a state and values of uniforms
//   ReaderEpochs  when no reader can look at objects that went from the bind table
//
// So these steps are here: a bind finds and pins a variant; a slot gets a variant or a better one; and entries that
// were not used for longest are evicted (evict_variants.cpp).
#pragma once

#include "variants/bind/bind_table.h"
#include "variants/bind/use_periods.h"
#include "variants/bind/variant_table.h"
#include "variants/user_pointer.h"
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dovetail {

// The variants of slots in whose place another one is put.
enum class Replaced : uint8_t {
  Any,       // by an optimised variant; it ends the slot's countdown
  FirstCode, // only those with first code, by LLVM's joined one
};

// Thread-safe, apart from Readers, each of which belongs to one thread at a time.
class VariantTables {
public:
  using Reader = ReaderEpochs::Reader;
  using Lookup = VariantTable::Lookup;

  // The place of a key's slot.
  using Place = BindTable::Place;

  VariantTables();

  void addReader(Reader &reader) { m_epochs.add(reader); }
  // Objects that only this reader had pinned are released.
  void removeReader(Reader &reader);
  // Starts to fetch the memory that findAndPin() reads first.
  void prefetch(const Hash128 &slotKey) const { m_slots.prefetch(slotKey); }
  // Finds a variant without a lock, and pins it in place of the reader's previous pins. `place` becomes the variant's
  // place. The use of the previous place ends now. Returns false if nothing is bound; nothing changes then.
  bool findAndPin(const Hash128 &slotKey, Reader &reader, Place &place) const {
    m_slots.prefetch(slotKey); // fetching takes longer than entering
    m_epochs.enter(reader);
    const Place found = m_slots.findAtOnce(slotKey);
    if (!found.variant())
      return findFurther(slotKey, reader, place);
    take(found, reader, place);
    return true;
  }
  // The period that binds note.
  uint16_t usePeriod() const { return m_usePeriods.current(); }

  // See VariantTable. `make` may use the tables.
  template <typename Make> Result<Lookup> getOrMake(const VariantKey &key, const Make &make) {
    return m_variants.getOrMake(key, make);
  }
  VariantRef findVariant(const VariantKey &key) const { return m_variants.find(key); }
  std::optional<VariantRef> findValue(const VariantKey &key) const { return m_variants.findValue(key); }
  void exchange(const VariantKey &key, const VariantRef &variant) { m_variants.exchange(key, variant); }

  // See BindTable; `change` is called under a lock.
  template <typename Change> void withSlot(const Hash128 &slotKey, const Change &change) {
    m_slots.withSlot(slotKey, change);
  }
  template <typename Change> bool withExistingSlot(const Hash128 &slotKey, const Change &change) {
    return m_slots.withExistingSlot(slotKey, change);
  }
  // To be called inside of `change`.
  VariantRef setCurrent(VariantSlot &slot, VariantRef variant) { return m_slots.setCurrent(slot, std::move(variant)); }
  // Puts a variant into a slot that has none. `countdown`: see VariantSlot.
  void fillSlot(const Hash128 &slotKey, const VariantRef &variant, uint32_t countdown);
  // Puts the variant into these slots, unless they were evicted. Returns the previous variants, once for each of their
  // users.
  std::vector<std::pair<VariantRef, SlotUsers>> replace(const std::unordered_map<Hash128, SlotUsers> &slots,
                                                        const VariantRef &variant, Replaced replaced);

  // Looks at a sample, a different one each time, and evicts slots and variants that nobody else refers to and that no
  // reader has pinned. Those that were not bound for longest go first, until this share of the sample's memory is free.
  // Returns how much of the tables the sample was, 1: all. Called by one thread at a time.
  double evictFromSample(double share);
  // Removes the slots for which mayGo(slot) is true, even if others refer to their variants; a lock is held. Returns
  // their number.
  size_t removeSlots(const std::function<bool(const VariantSlot &slot)> &mayGo);
  // Destroys objects that went from the slots and that no reader looks at. To be called without locks that destructors
  // might take.
  void collect() noexcept { m_epochs.collect(); }
  // The number of objects that wait for that.
  size_t retiredCount() const { return m_epochs.retiredCount(); }

  size_t slotCount() const { return m_slots.size(); }
  uint64_t variantCount() const { return m_variants.size(); }
  uint64_t memoryBytes() const { return m_variants.memoryBytes() + m_slots.memoryBytes(); }
  // The number of variants that were evicted since the beginning.
  uint64_t evictedCount() const { return m_evicted.load(std::memory_order_relaxed); }
  // See SingleFlight.
  uint64_t overtakings() const { return m_variants.overtakings(); }

private:
  // Ends a search with its result.
  void take(const Place &found, Reader &reader, Place &place) const {
    const uint16_t period = usePeriod();
    if (place)
      noteUse(place.lastUse(), period);
    reader.pin(found.array(), found.variant());
    m_epochs.leave(reader);
    noteUse(found.lastUse(), period);
    place = found;
  }
  // Searches again, as long as it takes.
  bool findFurther(const Hash128 &slotKey, Reader &reader, Place &place) const;

  ReaderEpochs m_epochs;
  VariantTable m_variants;
  BindTable m_slots;
  alignas(CacheLineBytes) UsePeriods m_usePeriods;
  EvictionHand m_evictionHand;
  std::atomic<uint64_t> m_evicted = 0;
};

} // namespace dovetail
