// SPDX-License-Identifier: MIT
//
// Structs with a list of fields (fields.h) in words for people: "sgprCount 8, attributes [{location 1, binding 2}]".
// Fields that have their default value are left out, and enumerators are named where a toString() names them.
#pragma once

#include "src/base/field_bytes.h"
#include <algorithm>
#include <fmt/format.h>

namespace dovetail {

template <typename T> std::string wordsOf(const T &value);

namespace detail {

inline std::string separated(std::string text, const std::string &item) {
  text += text.empty() ? "" : ", ";
  return text += item;
}

template <typename T> bool areEqual(const T &left, const T &right) {
  FieldWriter leftBytes, rightBytes;
  return std::ranges::equal(leftBytes.add(left).bytes(), rightBytes.add(right).bytes());
}

} // namespace detail

// The names of the struct's own fields that differ from their defaults.
template <HasFields T> std::vector<std::string_view> changedFields(const T &value) {
  const T defaults{};
  std::vector<std::string_view> names;
  forEachField(value, [&]<typename Field>(std::string_view name, const Field &field) {
    forEachField(defaults, [&]<typename Other>(std::string_view other, const Other &standard) {
      if constexpr (std::is_same_v<Other, Field>)
        if (name == other && !detail::areEqual(field, standard))
          names.push_back(name);
    });
  });
  return names;
}

// One text for each of these fields.
template <HasFields T> std::vector<std::string> fieldItems(const T &value) {
  const std::vector<std::string_view> changed = changedFields(value);
  std::vector<std::string> items;
  forEachField(value, [&](std::string_view name, const auto &field) {
    if (std::ranges::find(changed, name) != changed.end())
      items.push_back(fmt::format("{} {}", name, wordsOf(field)));
  });
  return items;
}

// These texts, separated by commas, without braces around them.
template <HasFields T> std::string fieldWords(const T &value) {
  return fmt::format("{}", fmt::join(fieldItems(value), ", "));
}

template <typename T> std::string wordsOf(const T &value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (std::is_same_v<T, Hash128>) {
    return value.toHex();
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "yes" : "no";
  } else if constexpr (std::is_enum_v<T>) {
    if constexpr (requires { toString(value); }) {
      static_assert(
          requires { lastOf(value); }, "or a decoded value might be one that toString() does not know");
      return std::string(toString(value));
    }
    return std::to_string(uint64_t(value));
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else if constexpr (IsOptionalField<T>) {
    return value ? wordsOf(*value) : "none";
  } else if constexpr (IsListField<T>) {
    std::string words;
    for (const auto &element : value)
      words = detail::separated(std::move(words), wordsOf(element));
    return "[" + words + "]";
  } else if constexpr (IsArrayField<T>) {
    // Most elements of long arrays are zero.
    const bool isLong = value.size() > 8;
    std::string words;
    for (size_t i = 0; i < value.size(); ++i)
      if (!isLong)
        words = detail::separated(std::move(words), wordsOf(value[i]));
      else if (!(value[i] == typename T::value_type{}))
        words = detail::separated(std::move(words), fmt::format("{}: {}", i, wordsOf(value[i])));
    return "[" + words + "]";
  } else if constexpr (requires { toString(value); }) {
    return toString(value);
  } else {
    return "{" + fieldWords(value) + "}";
  }
}

} // namespace dovetail
