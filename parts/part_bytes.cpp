// SPDX-License-Identifier: MIT
#include "parts/part_bytes.h"
#include "parts/check_part.h"
#include "parts/part_fields.h"
#include "src/base/field_bytes.h"

namespace dovetail {

void encodePart(const Part &part, std::vector<uint8_t> &bytes) {
  FieldWriter writer;
  const std::span<const std::byte> encoding = writer.add(part).bytes();
  const auto *first = reinterpret_cast<const uint8_t *>(encoding.data());
  bytes.insert(bytes.end(), first, first + encoding.size());
}

Result<Part> decodePart(std::span<const uint8_t> bytes) {
  Part part;
  FieldReader reader(bytes);
  reader.read(part);
  if (!reader.isGood() || !reader.isAtEnd())
    return makeError(ErrorCode::InvalidInput, "the encoding of a part {} at byte {} of {}",
                     reader.isGood() ? "ends" : "is damaged", bytes.size() - reader.bytesLeft(), bytes.size());
  if (const char *defect = defectOf(part))
    return makeError(ErrorCode::InvalidInput, "the encoding of part {} {} is damaged: {}", toString(part.key.kind),
                     part.key.hash.toHex(), defect);
  return part;
}

} // namespace dovetail
