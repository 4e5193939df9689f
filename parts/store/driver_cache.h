// SPDX-License-Identifier: MIT
//
// A cache of parts that the driver owns: Mesa's disk cache, what is behind a VkPipelineCache, a blob cache of
// Android's. It keeps bytes by key, and may forget any. What it returns is checked like an entry of the part store
// (entry.h), so that bytes which are damaged or of another version are a miss.
#pragma once

#include "parts/part.h"
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace dovetail {

// Names a part, and all that changes its code, the versions of Dovetail and LLVM and the GPU among it.
using DriverCacheKey = std::array<uint8_t, 16>;

// Both are called on any thread, several at the same time, without a lock held; also in a bind, which waits for them,
// unless it never compiles. They must not bind, nor destroy the device.
struct DriverCache {
  // What was put under this key; nothing if it is not there.
  std::function<std::optional<std::vector<uint8_t>>(const DriverCacheKey &key)> get = {};
  // The bytes are the callee's for the call.
  std::function<void(const DriverCacheKey &key, std::span<const uint8_t> bytes)> put = {};
};

DriverCacheKey driverCacheKey(const PartKey &key);

// nullptr: a miss, which what `get` throws is, too. `isDamaged`: there was something, and it is none of ours.
PartRef findInDriverCache(const DriverCache &cache, const PartKey &key, bool &isDamaged);
void putIntoDriverCache(const DriverCache &cache, const Part &part) noexcept;

} // namespace dovetail
