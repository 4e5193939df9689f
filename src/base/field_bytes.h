// SPDX-License-Identifier: MIT
//
// Draw threads hash keys, so keys need an encoding that is fast and free of padding. This one is for structs with a
// list of fields (fields.h): the fields' bytes one behind the other, without padding, lists with their length in front.
// Two values of one type have the same bytes only if all of their fields are equal, so a hash of the bytes is a hash of
// the fields. FieldWriter writes into a buffer on the stack and hashes it at once; it copies structs without padding
// whole.
#pragma once

#include "src/base/boxed.h"
#include "src/base/fields.h"
#include "src/base/hash.h"
#include <array>
#include <bit>
#include <boost/container/static_vector.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace dovetail {

DOVETAIL_FIELDS(Hash128, high, low)

static_assert(std::endian::native == std::endian::little, "scalars are copied as they are");

template <typename T>
concept ScalarField = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <typename T> constexpr bool IsArrayField = false;
template <typename T, size_t Count> constexpr bool IsArrayField<std::array<T, Count>> = true;
template <typename T> constexpr bool IsListField = false;
template <typename T> constexpr bool IsListField<std::vector<T>> = true;
template <typename T, size_t Capacity> constexpr bool IsListField<boost::container::static_vector<T, Capacity>> = true;
template <typename T> constexpr bool IsOptionalField = false;
template <typename T> constexpr bool IsOptionalField<std::optional<T>> = true;
template <typename T> constexpr bool IsOptionalField<Boxed<T>> = true;

// Whether a list of fields names the fields in the struct's order.
template <HasFields T> constexpr bool fieldsAreInOrder() {
  const T value{};
  const void *last = nullptr;
  bool areInOrder = true;
  forEachField(value, [&](std::string_view, const auto &field) {
    const void *place = &field;
    areInOrder = areInOrder && (!last || last < place);
    last = place;
  });
  return areInOrder;
}

// Whether a value's bytes are exactly its fields' bytes, so that one copy encodes it.
template <typename T> constexpr bool isWhole() {
  if constexpr (ScalarField<T>)
    return true;
  else if constexpr (IsArrayField<T>)
    return isWhole<typename T::value_type>();
  else if constexpr (std::has_unique_object_representations_v<T> && HasFields<T>)
    return fieldsAreInOrder<T>();
  else
    return false;
}

class FieldWriter {
public:
  FieldWriter() : m_begin(m_fixed), m_end(m_fixed), m_limit(m_fixed + sizeof(m_fixed)) {}
  FieldWriter(const FieldWriter &) = delete;
  FieldWriter &operator=(const FieldWriter &) = delete;

  template <typename T> FieldWriter &add(const T &value) {
    if constexpr (std::is_trivially_copyable_v<T>) {
      reserve(sizeof(T)); // no value takes more bytes than the struct
      m_end = put(m_end, value);
    } else if constexpr (std::is_same_v<T, std::string>) {
      addText(value);
    } else if constexpr (IsOptionalField<T>) {
      add(value.has_value());
      if (value)
        add(*value);
    } else if constexpr (IsListField<T>) {
      addList(value);
    } else if constexpr (IsArrayField<T>) {
      for (const auto &element : value)
        add(element);
    } else {
      forEachField(value, [this](std::string_view, const auto &field) { add(field); });
    }
    return *this;
  }

  FieldWriter &addText(std::string_view text) {
    reserve(sizeof(uint32_t) + text.size());
    m_end = put(m_end, uint32_t(text.size()));
    std::memcpy(m_end, text.data(), text.size());
    m_end += text.size();
    return *this;
  }

  std::span<const std::byte> bytes() const { return {m_begin, m_end}; }
  Hash128 hash() const { return hashBytes(bytes()); }

private:
  template <typename List> void addList(const List &list) {
    using T = typename List::value_type;
    add(uint32_t(list.size()));
    if constexpr (std::is_trivially_copyable_v<T>) {
      reserve(list.size() * sizeof(T));
      std::byte *to = m_end;
      for (const T &element : list)
        to = put(to, element);
      m_end = to;
    } else {
      for (const T &element : list)
        add(element);
    }
  }

  // Writes a value into reserved room and returns the end of the written bytes.
  template <typename T> static std::byte *put(std::byte *to, const T &value) {
    if constexpr (isWhole<T>()) {
      std::memcpy(to, &value, sizeof(value));
      return to + sizeof(value);
    } else if constexpr (IsOptionalField<T>) {
      to = put(to, value.has_value());
      return value ? put(to, *value) : to;
    } else if constexpr (IsArrayField<T>) {
      for (const auto &element : value)
        to = put(to, element);
      return to;
    } else {
      forEachField(value, [&to](std::string_view, const auto &field) { to = put(to, field); });
      return to;
    }
  }

  void reserve(size_t size) {
    if (size > size_t(m_limit - m_end))
      grow(size);
  }
  void grow(size_t size) {
    std::vector<std::byte> larger((m_end - m_begin + size) * 2);
    const size_t used = m_end - m_begin;
    std::memcpy(larger.data(), m_begin, used);
    m_large = std::move(larger);
    m_begin = m_large.data();
    m_end = m_begin + used;
    m_limit = m_begin + m_large.size();
  }

  std::byte *m_begin, *m_end, *m_limit;
  std::vector<std::byte> m_large; // once the buffer is full
  std::byte m_fixed[1024];        // not cleared, because that takes time
};

// Reads fields from bytes that may be anything. isGood() becomes false in three cases:
// - a value does not fit into the bytes
// - a truth value is neither 0 nor 1
// - an enumerator is beyond the last one, which a function lastOf() of its enum names
class FieldReader {
public:
  explicit FieldReader(std::span<const uint8_t> bytes) : m_bytes(bytes) {}

  template <typename T> void read(T &value) {
    if constexpr (std::is_same_v<T, bool>) {
      uint8_t byte = 0;
      read(byte);
      m_good = m_good && byte <= 1;
      value = byte == 1;
    } else if constexpr (std::is_enum_v<T>) {
      // An enum object must never hold a number beyond its enumerators, so the number is checked first.
      std::make_unsigned_t<std::underlying_type_t<T>> bits = 0;
      read(bits);
      m_good = m_good && bits <= static_cast<decltype(bits)>(lastOf(T()));
      value = m_good ? static_cast<T>(bits) : T();
    } else if constexpr (ScalarField<T>) {
      if (std::span<const uint8_t> taken = take(sizeof(value)); !taken.empty())
        std::memcpy(&value, taken.data(), sizeof(value));
    } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::vector<uint8_t>>) {
      std::span<const uint8_t> taken = take(readCount());
      value.assign(taken.begin(), taken.end());
    } else if constexpr (IsOptionalField<T>) {
      bool isThere = false;
      read(isThere);
      if (isThere)
        read(value.emplace());
    } else if constexpr (IsListField<T>) {
      // An element takes at least a byte, and readCount() takes no more elements than bytes are left. So the input's
      // size bounds the memory.
      size_t count = readCount();
      if constexpr (requires { T::static_capacity; }) {
        m_good = m_good && count <= T::static_capacity;
        count = m_good ? count : 0;
      }
      value.resize(count);
      for (auto &element : value)
        read(element);
    } else if constexpr (IsArrayField<T>) {
      for (auto &element : value)
        read(element);
    } else {
      forEachField(value, [this](std::string_view, auto &field) { read(field); });
    }
  }

  bool isGood() const { return m_good; }
  bool isAtEnd() const { return m_bytes.empty(); }
  size_t bytesLeft() const { return m_bytes.size(); }

private:
  size_t readCount() {
    uint32_t count = 0;
    read(count);
    m_good = m_good && count <= m_bytes.size();
    return m_good ? count : 0;
  }

  std::span<const uint8_t> take(size_t size) {
    m_good = m_good && size <= m_bytes.size();
    if (!m_good)
      return {};
    std::span<const uint8_t> taken = m_bytes.first(size);
    m_bytes = m_bytes.subspan(size);
    return taken;
  }

  std::span<const uint8_t> m_bytes;
  bool m_good = true;
};

} // namespace dovetail
