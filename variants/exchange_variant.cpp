// SPDX-License-Identifier: MIT
#include "variants/exchange_variant.h"
#include "merge/elf/pal_elf.h"
#include "parts/store/part_bundle.h"
#include <algorithm>

namespace dovetail {

namespace {

struct VariantOfFile : Variant {
  explicit VariantOfFile(ImageRef read) : held(std::move(read)) { image = held.get(); }

  const ImageRef held;
};

} // namespace

Result<std::vector<uint8_t>> exportParts(const Variant &variant) {
  std::vector<PartRef> parts;
  for (const ImagePart &placed : variant.image->parts) {
    if (placed.part->key.hash == Hash128())
      return makeError(ErrorCode::InvalidInput, "the variant was read from a file: its {} has no key",
                       toString(placed.part->key.kind));
    parts.push_back(placed.part);
  }
  return writePartBundle(parts, variant.image->gpuName);
}

Result<VariantRef> readVariant(std::span<const uint8_t> elf) {
  auto variant = std::make_shared<VariantOfFile>(DOVETAIL_TRY(readPalElf(elf)));
  variant->key.hash = hashBytes(std::as_bytes(elf));
  variant->monolithic = std::ranges::all_of(variant->image->stages, [&](const ImageStage &stage) {
    return stage.partCount == 1 && variant->image->parts[stage.firstPart].part->key.kind == PartKind::Monolithic;
  });
  return VariantRef(std::move(variant));
}

} // namespace dovetail
