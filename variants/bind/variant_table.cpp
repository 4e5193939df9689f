// SPDX-License-Identifier: MIT
#include "variants/bind/variant_table.h"

namespace dovetail {

uint64_t memoryBytes(const Variant *variant) {
  constexpr uint64_t Bookkeeping = 250; // the reference count, places in tables, the allocator's own
  if (!variant)
    return Bookkeeping;
  uint64_t bytes = sizeof(Variant) + Bookkeeping + variant->askedParts.capacity() * sizeof(PartUse);
  if (const Image *image = variant->image)
    bytes += sizeof(ImageInRoom) + image->loadRelocations.capacity() * sizeof(LoadRelocation) +
             bytesOfArrays(image->code.capacity(), image->stages.capacity(), image->parts.capacity(),
                           image->registers.capacity());
  return bytes;
}

void VariantTable::add(const VariantRef &variant) {
  m_size.fetch_add(variant != nullptr, std::memory_order_relaxed);
  m_memoryBytes.fetch_add(dovetail::memoryBytes(variant.get()), std::memory_order_relaxed);
}

uint64_t VariantTable::evict(const VariantKey &key, long references) {
  std::optional<VariantRef> gone =
      m_table.eraseIf(key, [&](const VariantRef &variant) { return variant.use_count() <= references; });
  return gone ? subtract(*gone) : 0;
}

// Returns the bytes that the variant took.
uint64_t VariantTable::subtract(const VariantRef &gone) {
  uint64_t bytes = dovetail::memoryBytes(gone.get());
  m_size.fetch_sub(gone != nullptr, std::memory_order_relaxed);
  m_memoryBytes.fetch_sub(bytes, std::memory_order_relaxed);
  return bytes;
}

void VariantTable::exchange(const VariantKey &key, const VariantRef &variant) {
  if (const std::optional<VariantRef> gone = m_table.exchange(key, variant)) {
    add(variant);
    subtract(*gone);
  }
}

} // namespace dovetail
