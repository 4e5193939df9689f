// SPDX-License-Identifier: MIT
//
// What is made of a part's key: the hash by which the part is found, and an encoding that the part keeps, so that what
// it was made from can be read again. Keys are structs with a list of fields (src/base/fields.h). The hash is that of
// the encoding and of the toolchain's version.
#pragma once

#include "parts/compile/toolchain_version.h"
#include "parts/part.h"
#include "src/base/field_bytes.h"

namespace dovetail {

template <HasFields Key> Hash128 hashKey(const Key &key) {
  return FieldWriter().add(toolchainVersion()).addText(fieldsOf(&key)).add(key).hash();
}

template <HasFields Key> std::vector<uint8_t> encodeKey(const Key &key) {
  FieldWriter writer;
  std::span<const std::byte> bytes = writer.addText(fieldsOf(&key)).add(key).bytes();
  const auto *first = reinterpret_cast<const uint8_t *>(bytes.data());
  return {first, first + bytes.size()};
}

// Nothing if the bytes, which may be anything, do not encode a key of this type.
template <HasFields Key> std::optional<Key> decodeKey(std::span<const uint8_t> bytes) {
  FieldReader reader(bytes);
  std::string name;
  Key key;
  reader.read(name);
  if (name != fieldsOf(&key))
    return std::nullopt;
  reader.read(key);
  if (!reader.isGood() || !reader.isAtEnd())
    return std::nullopt;
  return key;
}

template <HasFields Key> void setKey(Part &part, const Key &key) {
  part.key = key.partKey();
  part.keyFields = encodeKey(key);
}

} // namespace dovetail
