// SPDX-License-Identifier: MIT
//
// Helpers to read create-infos: pNext chains, arrays and handles.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>
#include <vulkan/vulkan_core.h>

namespace dovetail::fossilize {

// The struct of that type in a pNext chain; nullptr if there is none.
template <typename Struct> const Struct *findNext(const void *chain, uint32_t type) {
  for (auto *next = static_cast<const VkBaseInStructure *>(chain); next; next = next->pNext)
    if (uint32_t(next->sType) == type)
      return reinterpret_cast<const Struct *>(next);
  return nullptr;
}

template <typename To, typename From> void copyList(std::vector<To> &to, const From *from, size_t count) {
  if (from)
    to.assign(from, from + count);
}

// On 64-bit machines, a handle is a pointer.
template <typename Handle> uint64_t toNumber(Handle handle) {
  if constexpr (std::is_pointer_v<Handle>)
    return reinterpret_cast<uintptr_t>(handle);
  else
    return handle;
}

} // namespace dovetail::fossilize
