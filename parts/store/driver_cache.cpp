// SPDX-License-Identifier: MIT
#include "parts/store/driver_cache.h"
#include "parts/store/entry.h"
#include <cstring>

namespace dovetail {

DriverCacheKey driverCacheKey(const PartKey &key) {
  const Hash128 hash = Hasher().add(key.kind).add(key.hash).finish();
  DriverCacheKey bytes;
  static_assert(sizeof(hash) == sizeof(bytes));
  std::memcpy(bytes.data(), &hash, sizeof(hash));
  return bytes;
}

PartRef findInDriverCache(const DriverCache &cache, const PartKey &key, bool &isDamaged) {
  if (!cache.get)
    return nullptr;
  try {
    const std::optional<std::vector<uint8_t>> bytes = cache.get(driverCacheKey(key));
    if (!bytes)
      return nullptr;
    Result<Part> part = store::decodeEntry(key, *bytes);
    isDamaged = !part;
    return part ? std::make_shared<const Part>(std::move(*part)) : nullptr;
  } catch (...) { // a miss: the part is made
    return nullptr;
  }
}

void putIntoDriverCache(const DriverCache &cache, const Part &part) noexcept {
  if (!cache.put)
    return;
  try {
    cache.put(driverCacheKey(part.key), store::encodeEntry(part));
  } catch (...) { // the part is good without the cache
  }
}

} // namespace dovetail
