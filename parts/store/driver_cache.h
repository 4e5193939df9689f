// SPDX-License-Identifier: MIT
//
// A cache of parts that the driver owns: Mesa's disk cache, the cache behind a VkPipelineCache, or a blob cache of
// Android's. It keeps bytes by key, and may forget any of them. Returned bytes are checked like an entry of the part
// store (entry.h), so bytes that are damaged or of another version are a miss.
#pragma once

#include "parts/part.h"
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace dovetail {

// Names a part by everything that changes its code, including the versions of Dovetail and LLVM and the GPU.
using DriverCacheKey = std::array<uint8_t, 16>;

// Both functions are called on any thread, several at the same time, with no lock held. A bind may call them, too, and
// waits for them, unless it never compiles. They must not bind, nor destroy the device.
struct DriverCache {
  // The bytes that were put under this key; nothing if there are none.
  std::function<std::optional<std::vector<uint8_t>>(const DriverCacheKey &key)> get = {};
  // The bytes are valid only during the call.
  std::function<void(const DriverCacheKey &key, std::span<const uint8_t> bytes)> put = {};
};

DriverCacheKey driverCacheKey(const PartKey &key);

// nullptr: a miss; an exception of `get` is a miss, too. `isDamaged`: `get` returned bytes that are not ours.
PartRef findInDriverCache(const DriverCache &cache, const PartKey &key, bool &isDamaged);
void putIntoDriverCache(const DriverCache &cache, const Part &part) noexcept;

} // namespace dovetail
