// SPDX-License-Identifier: MIT
//
// A device's own store with read-only archives in front of it. Archives come first: looking into them takes no lock,
// and parts that they have need not be written to the store.
#pragma once

#include "parts/store/archive.h"
#include "parts/store/part_store.h"

namespace dovetail {

constexpr size_t MaxArchives = 8;

// Puts those archives in front of the store that have parts for this build and this GPU. `warn` is told why an archive
// is not used. Returns the store itself, which may be null, if none is used.
std::shared_ptr<PartStore> withArchives(std::shared_ptr<PartStore> store, const std::vector<std::string> &paths,
                                        std::string_view gpuName, const std::function<void(std::string_view)> &warn);

} // namespace dovetail
