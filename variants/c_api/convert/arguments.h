// SPDX-License-Identifier: MIT
//
// Checks of arguments that many functions share. A failure names the argument.
#pragma once

#include "src/base/hash.h"
#include "src/state/user_data_nodes.h"
#include "variants/c_api/convert/failure.h"
#include "variants/user_data_layout.h"
#include <algorithm>
#include <span>
#include <type_traits>

namespace dovetail::c_api {

// 128 bits of a struct.
inline void setKey(uint64_t (&key)[2], const Hash128 &hash) {
  key[0] = hash.high;
  key[1] = hash.low;
}

inline Outcome<void> checkNotNull(const void *pointer, std::string_view name) {
  if (!pointer)
    return badArgument("{} is NULL", name);
  return {};
}

// 0 or 1.
inline Outcome<bool> readBool(uint32_t value, std::string_view name) {
  if (value > 1)
    return badArgument("{} is {}; it is to be 0 or 1", name, value);
  return value == 1;
}

// Checks an argument `index` of an `owner`, which has `count` of `what`.
inline Outcome<void> checkIndex(uint32_t index, size_t count, std::string_view owner, std::string_view what) {
  if (index >= count)
    return badArgument("index is {}; the {} has {} {}", index, owner, count, what);
  return {};
}

// Reads an enumeration whose values are 0 to `last`.
template <typename Enum> Outcome<Enum> readEnum(uint32_t value, Enum last, std::string_view name) {
  if (value > static_cast<uint32_t>(last))
    return badArgument("{} is {}; its enumeration ends with {}", name, value, static_cast<uint32_t>(last));
  return static_cast<Enum>(value);
}

inline Outcome<void> checkReserved(uint32_t value, std::string_view name) {
  if (value != 0)
    return badArgument("{} is {}; it is to be 0", name, value);
  return {};
}

// Reads a C array. It may be NULL if it is empty.
template <typename T> Outcome<std::span<const T>> readArray(const T *data, size_t count, std::string_view name) {
  if (!data && count > 0)
    return badArgument("{} is NULL, but has {} elements", name, count);
  if (count > PTRDIFF_MAX / sizeof(T))
    return badArgument("{} has {} elements, which no memory can hold", name, count);
  return std::span<const T>(data, count);
}

Outcome<AutomaticLayout> readDynamicBuffers(uint32_t bits, std::string_view name);

Outcome<UserDataNodes> readLayout(const dovetail_layout_node *nodes, size_t count, std::string_view name);

// Checks the room in a caller's array: NULL only asks how many elements there are. `what`: the elements' name, in the
// plural.
inline Outcome<void> checkRoom(const void *buffer, size_t room, size_t needed, std::string_view what) {
  if (buffer && room < needed)
    return tl::unexpected<Failure>(
        Failure(DOVETAIL_BUFFER_TOO_SMALL, fmt::format("there is room for {} {}, {} are needed", room, what, needed)));
  return {};
}

// Gives the caller an array of bytes or structs in two calls: the first asks how many there are.
template <typename T>
Outcome<void> handOut(std::span<const T> elements, std::type_identity_t<T> *buffer, size_t *count,
                      std::string_view what) {
  static_assert(std::is_trivially_copyable_v<T>);
  const size_t room = *count;
  *count = elements.size();
  DOVETAIL_C_CHECK(checkRoom(buffer, room, elements.size(), what));
  if (buffer)
    std::ranges::copy(elements, buffer);
  return {};
}

inline Outcome<void> handOutBytes(std::span<const uint8_t> bytes, void *buffer, size_t *size) {
  return handOut(bytes, static_cast<uint8_t *>(buffer), size, "bytes");
}

} // namespace dovetail::c_api
