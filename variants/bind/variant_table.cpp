// SPDX-License-Identifier: MIT
#include "variants/bind/variant_table.h"

namespace dovetail {

uint64_t memoryBytes(const Variant *variant) {
  constexpr uint64_t Bookkeeping = 200; // two shared_ptrs, the place in the table, the allocator's own
  if (!variant)
    return Bookkeeping;
  uint64_t bytes = sizeof(Variant) + Bookkeeping + variant->askedParts.capacity() * sizeof(PartUse);
  const Image *image = variant->image.get();
  if (!image)
    return bytes;
  bytes += sizeof(Image) + image->code.capacity() + image->loadRelocations.capacity() * sizeof(LoadRelocation) +
           image->registers.capacity() * sizeof(RegisterValue);
  if (image->stages.size() > ImageStagesInPlace)
    bytes += image->stages.capacity() * sizeof(ImageStage);
  if (image->parts.size() > ImagePartsInPlace)
    bytes += image->parts.capacity() * sizeof(ImagePart);
  return bytes;
}

void VariantTable::add(const VariantRef &variant) {
  m_size.fetch_add(variant != nullptr, std::memory_order_relaxed);
  m_memoryBytes.fetch_add(dovetail::memoryBytes(variant.get()), std::memory_order_relaxed);
}

uint64_t VariantTable::evict(const VariantKey &key, long references) {
  std::optional<VariantRef> gone =
      m_table.eraseIf(key, [&](const VariantRef &variant) { return variant.use_count() <= references; });
  if (!gone)
    return 0;
  uint64_t bytes = dovetail::memoryBytes(gone->get());
  m_size.fetch_sub(*gone != nullptr, std::memory_order_relaxed);
  m_memoryBytes.fetch_sub(bytes, std::memory_order_relaxed);
  return bytes;
}

} // namespace dovetail
