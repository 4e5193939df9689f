// SPDX-License-Identifier: MIT
//
// User SGPRs hold dwords of the root table. A root dword that holds a buffer's descriptor or offset has a name there
// (values.def), with the buffer and its dword in the eight bits of an index. Root dwords without a name are read from
// the root table in memory: those of buffers with higher numbers, and of array elements behind the first.
#pragma once

#include "src/abi/interface/layout_constant.h"
#include "src/abi/value.h"

namespace dovetail {

struct RootPlace {
  uint32_t set, binding;
  uint32_t dword; // of the descriptor
};

constexpr std::optional<ValueName> rootValueOf(ResourceKind resource, const RootPlace &place) {
  if (resource == ResourceKind::RootBuffer && place.set < 4 && place.binding < 16)
    return ValueName{ValueKind::RootBuffer, uint8_t(place.set << 6 | place.binding << 2 | place.dword)};
  if (resource == ResourceKind::DynamicOffset && place.set < 8 && place.binding < 32)
    return ValueName{ValueKind::DynamicOffset, uint8_t(place.set << 5 | place.binding)};
  return std::nullopt;
}

constexpr RootPlace rootPlaceOf(const ValueName &value) {
  const uint32_t index = value.index;
  if (value.kind == ValueKind::RootBuffer)
    return {index >> 6, index >> 2 & 15, index & 3};
  return {index >> 5, index & 31, 0};
}

} // namespace dovetail
