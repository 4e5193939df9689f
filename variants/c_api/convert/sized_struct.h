// SPDX-License-Identifier: MIT
//
// Structs that begin with their size, so that header and library may differ in age. A caller's struct is copied over a
// struct with this library's defaults, as far as it goes. The library's answer is copied to the caller's struct, as far
// as that goes.
//
// This works because no struct has padding in which a later version could put a member: an older caller's padding would
// hold random bytes. (tests/c_api/structs_test.cpp)
#pragma once

#include "variants/c_api/convert/failure.h"
#include <algorithm>
#include <cstring>
#include <type_traits>

namespace dovetail::c_api {

// Larger than any struct; a larger size is a size that was never set.
constexpr size_t MaxStructBytes = 16384;

inline Outcome<void> checkSize(size_t size, size_t alignment, const char *name) {
  if (size < sizeof(size_t) || size > MaxStructBytes || size % alignment != 0)
    return badArgument("{0}->size is {1}; it is to be sizeof(*{0})", name, size);
  return {};
}

// Reads the caller's struct; members that it lacks are those of `defaults`. `name`: the struct's name in messages.
template <typename T> Outcome<T> readSized(const T *given, const T &defaults, const char *name) {
  static_assert(std::is_trivially_copyable_v<T> && offsetof(T, size) == 0);
  if (!given)
    return badArgument("{} is NULL", name);
  DOVETAIL_C_CHECK(checkSize(given->size, alignof(T), name));
  T result = defaults;
  std::memcpy(&result, given, std::min(given->size, sizeof(T)));
  const auto *bytes = reinterpret_cast<const unsigned char *>(given);
  const auto *unknown = std::find_if(bytes + std::min(given->size, sizeof(T)), bytes + given->size,
                                     [](unsigned char byte) { return byte != 0; });
  if (unknown != bytes + given->size)
    return badArgument("{0}: byte {1} is set, which is beyond the {2} bytes that this version knows of *{0}", name,
                       unknown - bytes, sizeof(T));
  result.size = sizeof(T);
  return result;
}

// The same for optional structs.
template <typename T> Outcome<T> readSizedOr(const T *given, const T &defaults, const char *name) {
  return given ? readSized(given, defaults, name) : Outcome<T>(defaults);
}

// Fills in the caller's struct, except its size.
template <typename T> Outcome<void> writeSized(const T &answer, T *taken, const char *name) {
  static_assert(std::is_trivially_copyable_v<T> && offsetof(T, size) == 0);
  if (!taken)
    return badArgument("{} is NULL", name);
  DOVETAIL_C_CHECK(checkSize(taken->size, alignof(T), name));
  const size_t known = std::min(taken->size, sizeof(T));
  auto *bytes = reinterpret_cast<unsigned char *>(taken);
  std::memcpy(bytes + sizeof(size_t), reinterpret_cast<const unsigned char *>(&answer) + sizeof(size_t),
              known - sizeof(size_t));
  std::memset(bytes + known, 0, taken->size - known);
  return {};
}

} // namespace dovetail::c_api
