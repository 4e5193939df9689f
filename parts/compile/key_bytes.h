// SPDX-License-Identifier: MIT
//
// The bytes of a part's key give two things: the hash by which the part is found, and an encoding that the part keeps,
// so that the key can be read again. Keys are structs with a list of fields (src/base/fields.h). The hash covers the
// toolchain's version and the encoding.
#pragma once

#include "parts/compile/toolchain_version.h"
#include "parts/part.h"
#include "src/base/field_bytes.h"

namespace dovetail {

// A key's bytes, for the hash and the encoding. They are on the stack, because a draw may wait for them.
class KeyBytes {
public:
  template <HasFields Key> explicit KeyBytes(const Key &key) {
    m_versionBytes = m_writer.add(toolchainVersion()).bytes().size();
    m_writer.addText(fieldsOf(&key)).add(key);
  }

  Hash128 hash() const { return m_writer.hash(); }
  std::vector<uint8_t> encoding() const {
    const std::span<const std::byte> bytes = m_writer.bytes().subspan(m_versionBytes);
    const auto *first = reinterpret_cast<const uint8_t *>(bytes.data());
    return {first, first + bytes.size()};
  }

private:
  FieldWriter m_writer;
  size_t m_versionBytes;
};

template <HasFields Key> Hash128 hashKey(const Key &key) {
  return KeyBytes(key).hash();
}

template <HasFields Key> std::vector<uint8_t> encodeKey(const Key &key) {
  return KeyBytes(key).encoding();
}

// Decodes a key of this type. Returns nothing if the bytes, which may be anything, do not encode one.
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
