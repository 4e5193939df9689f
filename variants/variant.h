// SPDX-License-Identifier: MIT
//
// Variant: shaders under one state, ready to draw with.
#pragma once

#include "merge/image.h"
#include "src/base/hash.h"
#include <atomic>
#include <compare>
#include <memory>
#include <string>
#include <vector>

namespace dovetail {

// Everything that makes one variant differ from another.
struct VariantKey {
  Hash128 hash;

  auto operator<=>(const VariantKey &) const = default;
};

// How a variant came by one of its parts.
struct PartUse {
  PartRef part;
  bool made = false;       // by this build; otherwise it was known
  double microseconds = 0; // wall time from asking for the part to having it; 0 if the program knew it
};

// Immutable, and safe to share between threads. Whoever has a plain pointer to one that is alive (Binder::bind) can
// make it live longer.
struct Variant : std::enable_shared_from_this<Variant> {
  VariantKey key;
  const Image *image = nullptr; // stays as long as the variant
  // In the order of image->parts; empty if all parts were known to the program, as they are to most variants.
  std::vector<PartUse> askedParts;
  bool monolithic = false;
  bool optimized = false;      // compiled for this state in particular (optimized_variant.h)
  double joinMicroseconds = 0; // wall time from having the parts to having the image

  // How many slots of the bind table refer to it, which is the table's own business: eviction knows by it whether
  // somebody else does.
  mutable std::atomic<uint32_t> slotCount = 0;

  // In the order of image->parts.
  std::vector<PartUse> partUses() const;
  // What each of these is for, in words (parts/kinds/part_description.h), which are made when somebody asks first.
  const std::vector<std::string> &partDescriptions() const;

  Variant() = default;
  ~Variant();

private:
  mutable std::atomic<const std::vector<std::string> *> m_partDescriptions = nullptr;
};

using VariantRef = std::shared_ptr<const Variant>;

// A variant with its image and what that holds, in one piece of memory (makeWithRoom()).
struct VariantInRoom : Variant {
  explicit VariantInRoom(const Room &room) : held(room) { image = &held.image; }

  ImageInRoom held;
};

// The variant's image, which keeps the variant.
inline ImageRef imageOf(const VariantRef &variant) {
  return {variant, variant->image};
}

} // namespace dovetail
