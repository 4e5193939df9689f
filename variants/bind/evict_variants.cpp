// SPDX-License-Identifier: MIT
//
// Evicts slots with their variants, and variants without a slot, when memory runs short. Only those go that nobody
// outside of the tables refers to and that no Binder has bound, the least recently used ones of a sample first.
#include "parts/cache/eviction_sample.h"
#include "variants/bind/variant_tables.h"
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace dovetail {

namespace {

// A slot, or a variant without a slot.
struct Candidate {
  std::optional<Hash128> slot;
  VariantKey key;         // of the variant
  const Variant *variant; // nullptr: a slot without variant, or a variant that was not worth having
  uint32_t lastUse;
  uint64_t bytes;
};

// Slots that go and share a variant.
struct Going {
  VariantKey key;
  long slots = 0;
};

} // namespace

double VariantTables::evictFromSample(double share) {
  std::vector<Candidate> candidates;
  uint64_t bytes = 0; // of the sample
  const std::unordered_set<const void *> pinned = m_epochs.pinned();
  size_t seen = 0;
  std::vector<size_t> shards; // that have the sample's slots
  static_assert(BindTable::ShardCount == VariantTable::ShardCount);
  const size_t entries = m_slots.size() + m_variants.size();
  const double visited = m_evictionHand.sample(BindTable::ShardCount, entries, [&](const TablePiece &piece) {
    if (shards.empty() || shards.back() != piece.shard)
      shards.push_back(piece.shard);
    m_slots.forEachIn(piece, [&](const VariantSlot &slot) {
      ++seen;
      const Variant *variant = slot.current();
      const uint32_t slots = variant ? variant->slotCount.load(std::memory_order_relaxed) : 0;
      // The variant goes with the last of its slots.
      const uint64_t slotBytes = BindTable::BytesOfSlot + (slots ? dovetail::memoryBytes(variant) / slots : 0);
      bytes += slotBytes;
      const bool isReferenced =
          variant && (variant->weak_from_this().use_count() > long(slots) + 1 || pinned.contains(variant));
      if (!isReferenced)
        candidates.push_back({slot.key, variant ? variant->key : VariantKey(), variant,
                              m_usePeriods.beginOf(slot.lastUse->load(std::memory_order_relaxed)), slotBytes});
    });
    m_variants.forEachIn(piece, [&](const VariantKey &key, const VariantRef &variant, uint64_t lastUse) {
      ++seen;
      if (variant.use_count() > 1)
        return; // it has a slot, or somebody refers to it
      const uint64_t variantBytes = dovetail::memoryBytes(variant.get());
      bytes += variantBytes;
      candidates.push_back({std::nullopt, key, variant.get(), uint32_t(lastUse), variantBytes});
    });
    return seen;
  });
  std::ranges::sort(candidates, {}, &Candidate::lastUse);

  // Beyond this point, the candidates that go are chosen.
  uint64_t planned = 0;
  std::unordered_map<Hash128, const Variant *> chosenSlots;
  std::unordered_map<const Variant *, Going> going;
  auto end = candidates.begin();
  for (; end != candidates.end() && double(planned) < share * double(bytes); ++end) {
    planned += end->bytes;
    if (!end->slot)
      continue;
    chosenSlots.emplace(*end->slot, end->variant);
    if (end->variant) {
      Going &entry = going[end->variant];
      entry.key = end->key;
      ++entry.slots;
    }
  }
  if (!chosenSlots.empty())
    for (size_t shard : shards)
      m_slots.removeIf(shard, [&](const VariantSlot &slot) {
        auto place = chosenSlots.find(slot.key);
        return place != chosenSlots.end() && slot.current() == place->second;
      });

  // Beyond this point, no bind finds these slots. Their references wait for the readers, so the number of references
  // has not changed. If it is greater than expected, somebody refers to the variant, and it stays.
  auto evict = [&](const VariantKey &key, const Variant *variant, long references) {
    if (m_variants.evict(key, references) && variant)
      m_evicted.fetch_add(1, std::memory_order_relaxed);
  };
  for (const auto &[variant, entry] : going)
    evict(entry.key, variant, 1 + entry.slots);
  for (auto place = candidates.begin(); place != end; ++place)
    if (!place->slot)
      evict(place->key, place->variant, 1);
  return visited;
}

} // namespace dovetail
