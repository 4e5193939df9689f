// SPDX-License-Identifier: MIT
//
// Parts as one run of bytes, which a driver keeps with an application's pipeline, or ships with a game. A bundle is for
// one GPU and one build of Dovetail and LLVM, which its header names. Each part in it is an entry of the part store
// (entry.h).
#pragma once

#include "parts/part.h"
#include "src/base/error.h"
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace dovetail {

// Leaves out first code. `gpuName`: LLVM's, at most 15 characters.
std::vector<uint8_t> writePartBundle(std::span<const PartRef> parts, std::string_view gpuName);

struct PartBundle {
  std::vector<PartRef> parts;
  uint64_t damaged = 0; // parts whose checksum or encoding is wrong, which were left out
};

// Any bytes are safe to read. Errors: InvalidInput for bytes that are no bundle or were cut off, and for another GPU or
// another build, with both named.
Result<PartBundle> readPartBundle(std::span<const uint8_t> bytes, std::string_view gpuName);

} // namespace dovetail
