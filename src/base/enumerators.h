// SPDX-License-Identifier: MIT
//
// A table with a row for each value of an enumeration is an array without a size of its own, and a static assertion
// compares its size with the number of enumerators. So a new enumerator without a row does not compile.
#pragma once

#include <cstddef>
#include <string_view>

namespace dovetail {

// GCC and Clang print a value that no enumerator names as a cast of a number.
template <auto Value> consteval bool isEnumerator() {
  const std::string_view name = __PRETTY_FUNCTION__;
  const char first = name[name.find_last_of(":)") + 1];
  return first < '0' || first > '9';
}

// How many enumerators count on from 0 without a gap. For enumerations with a fixed underlying type, as all scoped ones
// are.
template <typename Enum, size_t From = 0> consteval size_t enumeratorCount() {
  if constexpr (isEnumerator<static_cast<Enum>(From)>())
    return enumeratorCount<Enum, From + 1>();
  else
    return From;
}

} // namespace dovetail
