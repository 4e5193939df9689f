// SPDX-License-Identifier: MIT
#include "variants/variant.h"

namespace dovetail {

std::vector<PartUse> Variant::partUses() const {
  std::vector<PartUse> uses = askedParts;
  if (uses.empty())
    for (const ImagePart &placed : image->parts)
      uses.push_back({.part = placed.part});
  return uses;
}

} // namespace dovetail
