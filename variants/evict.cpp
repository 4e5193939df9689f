// SPDX-License-Identifier: MIT
//
// The budget. When variants and parts exceed it, those go to which nobody outside of the tables refers and that no
// Binder has bound, the least recently used first: variants, then parts that no variant is left to use. An eighth of
// the budget is freed at once, so that it is not often that all are looked at.
#include "variants/device_core.h"
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace dovetail {

namespace {

struct Candidate {
  VariantKey key;
  const Variant *variant;
  uint64_t bytes;
  uint32_t lastUse;
  long references;      // that there are
  long tableReferences; // those of the tables among them
};

} // namespace

uint64_t DeviceCore::heldBytes() const {
  return variants.memoryBytes() + binds.memoryBytes() + partMaker->cache().memoryBytes();
}

void DeviceCore::enforceBudget() {
  // It begins before the budget is used up, because others build meanwhile. They wait only if it is.
  const uint64_t limit = options.memoryBudget - options.memoryBudget / 32;
  if (heldBytes() <= limit)
    return;
  std::unique_lock lock(m_evictionMutex, std::try_to_lock);
  if (!lock) {
    if (heldBytes() <= options.memoryBudget)
      return; // another thread does it
    lock.lock();
    if (heldBytes() <= limit)
      return; // another thread did it
  }
  if (m_postponedEvictions > 0) {
    --m_postponedEvictions;
    return;
  }
  epochs.collect();
  uint64_t target = options.memoryBudget - options.memoryBudget / 8;
  if (uint64_t held = heldBytes(); held > target)
    evictVariants(held - target);
  epochs.collect(); // so that parts are no longer referred to
  if (uint64_t held = heldBytes(); held > target)
    partMaker->cache().evict(held - target);
  // Nearly all is referenced: not every build looks at all of it in vain.
  if (heldBytes() > limit)
    m_postponedEvictions = variants.size() / 16;
}

void DeviceCore::evictVariants(uint64_t bytes) {
  std::unordered_map<const Variant *, Candidate> candidates;
  std::vector<Candidate> order;
  variants.forEach([&](const VariantKey &key, const VariantRef &variant, uint64_t lastUse) {
    Candidate candidate = {key, variant.get(), dovetail::memoryBytes(variant), uint32_t(lastUse), variant.use_count(),
                           1};
    if (variant)
      candidates.emplace(variant.get(), candidate);
    else
      order.push_back(candidate); // not worth having: nobody refers to it
  });
  binds.forEach([&](const VariantSlot &slot) {
    auto place = candidates.find(slot.current.load(std::memory_order_relaxed));
    if (place == candidates.end())
      return;
    Candidate &candidate = place->second;
    ++candidate.tableReferences;
    candidate.lastUse = std::max(candidate.lastUse, slot.lastUse.load(std::memory_order_relaxed));
  });
  std::unordered_set<const void *> pinned = epochs.pinned();
  for (const auto &[variant, candidate] : candidates)
    if (candidate.references <= candidate.tableReferences && !pinned.contains(variant))
      order.push_back(candidate);
  std::ranges::sort(order, {}, &Candidate::lastUse);

  // Beyond this point, it is known who goes.
  uint64_t planned = 0;
  std::unordered_set<const Variant *> chosen;
  auto end = std::ranges::find_if(order, [&](const Candidate &candidate) {
    if (planned >= bytes)
      return true;
    planned += candidate.bytes;
    chosen.insert(candidate.variant);
    return false;
  });
  binds.removeIf([&](const VariantSlot &slot) {
    const Variant *variant = slot.current.load(std::memory_order_relaxed);
    return variant ? chosen.contains(variant) : slot.build.load(std::memory_order_relaxed) != SlotBuild::Queued;
  });

  // Beyond this point, no bind finds them. What the slots referred to waits for its readers, so the number of
  // references is what it was; where it is greater, somebody took one meanwhile, and the variant stays.
  for (auto place = order.begin(); place != end; ++place)
    if (variants.evict(place->key, place->tableReferences) && place->variant)
      m_built.evictedVariants.fetch_add(1, std::memory_order_relaxed);
}

} // namespace dovetail
