// SPDX-License-Identifier: MIT
#include "variants/variant.h"
#include "parts/kinds/part_description.h"

namespace dovetail {

std::vector<PartUse> Variant::partUses() const {
  std::vector<PartUse> uses = askedParts;
  if (uses.empty())
    for (const ImagePart &placed : image->parts)
      uses.push_back({.part = placed.part});
  return uses;
}

// If several threads make the words at first, those of one thread stay.
const std::vector<std::string> &Variant::partDescriptions() const {
  if (const auto *known = m_partDescriptions.load(std::memory_order_acquire))
    return *known;
  auto made = std::make_unique<std::vector<std::string>>();
  for (const ImagePart &placed : image->parts)
    made->push_back(partDescription(*placed.part));
  const std::vector<std::string> *known = nullptr;
  if (!m_partDescriptions.compare_exchange_strong(known, made.get(), std::memory_order_acq_rel))
    return *known;
  return *made.release();
}

Variant::~Variant() {
  delete m_partDescriptions.load(std::memory_order_relaxed);
}

} // namespace dovetail
