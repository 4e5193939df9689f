// SPDX-License-Identifier: MIT
#include "variants/variant_table.h"

namespace dovetail {

VariantRef VariantTable::find(const VariantKey &key) const {
  std::shared_lock lock(m_mutex);
  auto found = m_variants.find(key.hash);
  return found == m_variants.end() ? nullptr : found->second;
}

VariantRef VariantTable::publish(VariantRef variant) {
  std::unique_lock lock(m_mutex);
  Hash128 hash = variant->key.hash;
  return m_variants.try_emplace(hash, std::move(variant)).first->second;
}

size_t VariantTable::size() const {
  std::shared_lock lock(m_mutex);
  return m_variants.size();
}

} // namespace dovetail
