// SPDX-License-Identifier: MIT
//
// Variant: shaders under one state, ready to draw with.
#pragma once

#include "merge/image.h"
#include "src/base/hash.h"
#include <algorithm>
#include <atomic>
#include <compare>
#include <memory>
#include <string>
#include <vector>

namespace dovetail {

// Everything that makes variants differ.
struct VariantKey {
  Hash128 hash;

  auto operator<=>(const VariantKey &) const = default;
};

// How a build got one of the parts of a variant.
struct PartUse {
  PartRef part;
  bool made = false;       // by this build; otherwise it existed already
  double microseconds = 0; // wall time from asking for the part to having it; 0 if the program knew the part
};

// Immutable, and safe to share between threads. A holder of a plain pointer to a living variant (Binder::bind) can make
// it live longer by shared_from_this().
struct Variant : std::enable_shared_from_this<Variant> {
  VariantKey key;
  const Image *image = nullptr; // lives as long as the variant
  // In the order of image->parts; empty if the program knew all parts, as for most variants.
  std::vector<PartUse> askedParts;
  bool monolithic = false;
  bool optimized = false;      // compiled for this state in particular (optimized_variant.h)
  double joinMicroseconds = 0; // wall time from having the parts to having the image

  // How many slots of the bind table refer to it. Only the table changes the count; eviction reads it to find out
  // whether anybody else refers to the variant.
  mutable std::atomic<uint32_t> slotCount = 0;

  // In the order of image->parts.
  std::vector<PartUse> partUses() const;
  // The purpose of each part in words (parts/kinds/part_description.h). The words are made when somebody first asks.
  const std::vector<std::string> &partDescriptions() const;

  Variant() = default;
  ~Variant();

private:
  mutable std::atomic<const std::vector<std::string> *> m_partDescriptions = nullptr;
};

using VariantRef = std::shared_ptr<const Variant>;

// Whether a main part is first code. LLVM's code takes its place later.
inline bool hasFirstCode(const Variant &variant) {
  return std::ranges::any_of(variant.image->parts,
                             [](const ImagePart &placed) { return placed.part->tier == CodeTier::FirstCode; });
}

// A variant with its image and the image's arrays, in one piece of memory (makeWithRoom()).
struct VariantInRoom : Variant {
  explicit VariantInRoom(const Room &room) : held(room) { image = &held.image; }

  ImageInRoom held;
};

// The variant's image; the reference keeps the variant alive.
inline ImageRef imageOf(const VariantRef &variant) {
  return {variant, variant->image};
}

} // namespace dovetail
