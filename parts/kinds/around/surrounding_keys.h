// SPDX-License-Identifier: MIT
//
// The keys of all kinds of prologs and epilogs.
#pragma once

#include "parts/kinds/around/compute_prolog.h"
#include "parts/kinds/around/fragment_epilog.h"
#include "parts/kinds/around/fragment_prolog.h"
#include "parts/kinds/around/geometry_prolog.h"
#include "parts/kinds/around/tess_control_epilog.h"
#include "parts/kinds/around/vertex_prolog.h"
#include <optional>
#include <tuple>
#include <utility>

namespace dovetail {

// The keys that a main part needs, at most one of each kind.
struct SurroundingKeys {
  template <typename... Keys> using Optionals = std::tuple<std::optional<Keys>...>;
  // The last type of the list, behind the last comma. It is no key.
  struct None {};
  Optionals<
#define PART_AROUND(kind, ...) kind##Key,
#include "parts/part_kinds.def"
      None>
      keys;

  template <typename Key> std::optional<Key> &of() {
    return std::get<std::optional<Key>>(keys);
  }
  template <typename Key> const std::optional<Key> &of() const {
    return std::get<std::optional<Key>>(keys);
  }
};

constexpr std::string_view fieldsOf(const SurroundingKeys *) {
  return "SurroundingKeys";
}
template <typename Self, typename Visit>
requires std::same_as<std::remove_const_t<Self>, SurroundingKeys>
constexpr void forEachField(Self &self, Visit &&visit) {
#define PART_AROUND(kind, ...) visit(std::string_view(#kind), self.template of<kind##Key>());
#include "parts/part_kinds.def"
}

// Calls use(key) for each key that is there, in the order of the rows.
template <typename Use> Result<void> forEachKey(const SurroundingKeys &keys, const Use &use) {
#define PART_AROUND(kind, ...)                                                                                         \
  if (const std::optional<kind##Key> &key = keys.of<kind##Key>())                                                      \
    DOVETAIL_CHECK(use(*key));
#include "parts/part_kinds.def"
  return {};
}

// The same; the keys that stand nearest to the main part come first.
template <typename Use> Result<void> forEachKeyFromMain(const SurroundingKeys &keys, const Use &use) {
  constexpr size_t Count = std::tuple_size_v<decltype(keys.keys)> - 1; // without None
  Result<void> outcome;
  auto useOne = [&](const auto &key) {
    if (key)
      outcome = use(*key);
    return outcome.has_value();
  };
  [&]<size_t... Index>(std::index_sequence<Index...>) {
    (void)(useOne(std::get<Count - 1 - Index>(keys.keys)) && ...);
  }
  (std::make_index_sequence<Count>());
  return outcome;
}

// The keys for a main part of this kind. Errors: those of the keys' make().
Result<SurroundingKeys> makeSurroundingKeys(PartKind main, const Surroundings &around);

} // namespace dovetail
