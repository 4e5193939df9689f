// SPDX-License-Identifier: MIT
//
// The variants of a device by key.
#pragma once

#include "variants/variant.h"
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace dovetail {

// Thread-safe. Variants stay until the table goes.
class VariantTable {
public:
  // nullptr if there is none.
  VariantRef find(const VariantKey &key) const;

  // Makes the variant the one for its key, unless another thread was first; returns the one that is.
  VariantRef publish(VariantRef variant);

  size_t size() const;

private:
  mutable std::shared_mutex m_mutex; // held for look-ups and insertions only
  std::unordered_map<Hash128, VariantRef> m_variants;
};

} // namespace dovetail
