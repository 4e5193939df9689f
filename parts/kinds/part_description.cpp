// SPDX-License-Identifier: MIT
#include "parts/kinds/part_description.h"
#include "parts/compile/key_bytes.h"
#include "parts/kinds/around/surrounding_keys.h"

namespace dovetail {

namespace {

template <typename Key> std::string describeKey(const Part &part) {
  const std::optional<Key> key = decodeKey<Key>(part.keyFields);
  return key ? key->describe() : std::string();
}

} // namespace

std::string partDescription(const Part &part) {
  if (!part.description.empty())
    return part.description;
  switch (part.key.kind) {
#define PART_AROUND(kind, ...)                                                                                         \
  case PartKind::kind:                                                                                                 \
    return describeKey<kind##Key>(part);
#include "parts/part_kinds.def"
  default:
    return {};
  }
}

} // namespace dovetail
