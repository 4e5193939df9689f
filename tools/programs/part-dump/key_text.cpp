// SPDX-License-Identifier: MIT
#include "tools/programs/part-dump/key_text.h"
#include "gfx9-merged/glue.h"
#include "parts/compile/key_bytes.h"
#include "parts/kinds/geometry_copy.h"
#include "parts/kinds/monolithic.h"
#include "parts/kinds/null_fragment.h"
#include "src/base/field_words.h"

namespace dovetail::part_dump {

namespace {

template <typename Key> bool addItems(const Part &part, std::vector<std::string> &items) {
  const std::optional<Key> key = decodeKey<Key>(part.keyFields);
  if (key)
    items = fieldItems(*key);
  return key.has_value();
}

// Tries the key types in turn; takes the first that can read the part's key.
template <typename... Keys> std::vector<std::string> itemsOfAny(const Part &part) {
  std::vector<std::string> items;
  (addItems<Keys>(part, items) || ...);
  return items;
}

} // namespace

std::vector<std::string> keyItems(const Part &part) {
  return itemsOfAny<
#define PART_AROUND(kind, ...) kind##Key,
#include "parts/part_kinds.def"
      MainPartKey, GeometryCopyKey, NullFragmentKey, GlueKey, MonolithicKey, MonolithicMergedKey>(part);
}

} // namespace dovetail::part_dump
