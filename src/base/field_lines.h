// SPDX-License-Identifier: MIT
//
// Structs with a list of fields (fields.h) as lines that people read and programs read back: "state.topology = 3",
// "layout[1].binding = 4". Truth values are 0 and 1, enumerators their numbers; a list has its length in a line of its
// own, "layout.size = 2".
#pragma once

#include "src/base/field_bytes.h"
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

// Makes text one word: each character but letters, digits and "_.-" becomes "%" and two hexadecimal digits, as in
// "%3b".
inline std::string escapeText(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const bool isPlain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
    escaped += isPlain ? std::string(1, c) : fmt::format("%{:02x}", static_cast<unsigned char>(c));
  }
  return escaped;
}

// std::nullopt if two hexadecimal digits do not follow a "%".
inline std::optional<std::string> unescapeText(std::string_view escaped) {
  std::string text;
  for (size_t at = 0; at < escaped.size(); ++at) {
    if (escaped[at] != '%') {
      text += escaped[at];
      continue;
    }
    unsigned char byte = 0;
    const char *begin = escaped.data() + at + 1;
    if (escaped.size() - at < 3 || std::from_chars(begin, begin + 2, byte, 16).ptr != begin + 2)
      return std::nullopt;
    text += char(byte);
    at += 2;
  }
  return text;
}

// `path`: the beginning of each line.
template <typename T> void addFieldLines(const std::string &path, const T &value, std::vector<std::string> &lines) {
  if constexpr (std::is_same_v<T, std::string>) {
    lines.push_back(fmt::format("{} = {}", path, escapeText(value)));
  } else if constexpr (ScalarField<T>) {
    static_assert(!std::is_floating_point_v<T>);
    lines.push_back(fmt::format("{} = {}", path, int64_t(value)));
  } else if constexpr (IsListField<T> || IsArrayField<T>) {
    if constexpr (IsListField<T>)
      lines.push_back(fmt::format("{}.size = {}", path, value.size()));
    for (size_t index = 0; index < value.size(); ++index)
      addFieldLines(fmt::format("{}[{}]", path, index), value[index], lines);
  } else {
    forEachField(value, [&](std::string_view name, const auto &field) {
      addFieldLines(fmt::format("{}.{}", path, name), field, lines);
    });
  }
}

// The lines that are not among `known`, the lines of the value that a reader begins with.
inline std::string joinNewLines(const std::vector<std::string> &lines, std::vector<std::string> known) {
  std::ranges::sort(known);
  std::string text;
  for (const std::string &line : lines)
    if (!std::ranges::binary_search(known, line))
      text += line + "\n";
  return text;
}

// The lines in which `value` differs from a default-constructed one.
template <typename T> std::string writeFieldLines(const std::string &path, const T &value) {
  std::vector<std::string> lines, known;
  addFieldLines(path, value, lines);
  addFieldLines(path, T{}, known);
  return joinNewLines(lines, std::move(known));
}

// Reads such lines into `value`; a field without a line keeps its value. `take` returns the text behind the "=" of a
// path, std::optional<std::string>. Returns the path of the first line that it does not understand:
// - the text is malformed
// - the field's type does not have the number
// - the number is beyond the enumerator that a function lastOf() of its enum names
template <typename T, typename Take>
std::optional<std::string> readFieldLines(const std::string &path, const Take &take, T &value) {
  constexpr int64_t MaxListSize = 65536;
  if constexpr (std::is_same_v<T, std::string>) {
    if (std::optional<std::string> escaped = take(path)) {
      std::optional<std::string> text = unescapeText(*escaped);
      if (!text)
        return path;
      value = std::move(*text);
    }
    return std::nullopt;
  } else if constexpr (ScalarField<T>) {
    const std::optional<std::string> text = take(path);
    if (!text)
      return std::nullopt;
    int64_t number = 0;
    const char *end = text->data() + text->size();
    const auto [stop, failure] = std::from_chars(text->data(), end, number);
    if (failure != std::errc() || stop != end)
      return path;
    if constexpr (std::is_enum_v<T>) {
      int64_t last = INT32_MAX; // Vulkan's enumerations go so far
      if constexpr (requires { lastOf(value); })
        last = int64_t(lastOf(value));
      if (number < 0 || number > last)
        return path;
      value = static_cast<T>(number);
    } else {
      if (std::is_same_v<T, bool> ? number < 0 || number > 1 : int64_t(static_cast<T>(number)) != number)
        return path;
      value = static_cast<T>(number);
    }
    return std::nullopt;
  } else if constexpr (IsListField<T> || IsArrayField<T>) {
    if constexpr (IsListField<T>) {
      int64_t size = int64_t(value.size());
      if (std::optional<std::string> wrong = readFieldLines(path + ".size", take, size))
        return wrong;
      if (size < 0 || size > MaxListSize)
        return path + ".size";
      value.resize(size_t(size));
    }
    for (size_t index = 0; index < value.size(); ++index)
      if (std::optional<std::string> wrong = readFieldLines(fmt::format("{}[{}]", path, index), take, value[index]))
        return wrong;
    return std::nullopt;
  } else {
    std::optional<std::string> wrong;
    forEachField(value, [&](std::string_view name, auto &field) {
      if (!wrong)
        wrong = readFieldLines(fmt::format("{}.{}", path, name), take, field);
    });
    return wrong;
  }
}

} // namespace dovetail
