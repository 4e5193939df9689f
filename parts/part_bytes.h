// SPDX-License-Identifier: MIT
//
// A part as bytes and back: what the part store keeps. Little-endian, field by field, without padding, so that a part
// has one encoding. The encoding carries no version; whoever stores it does (parts/store/entry.h).
#pragma once

#include "parts/part.h"
#include "src/base/error.h"
#include <cstdint>
#include <span>
#include <vector>

namespace dovetail {

// Appends the part's encoding.
void encodePart(const Part &part, std::vector<uint8_t> &bytes);

// Any bytes are safe to decode, and what is decoded is safe to use (check_part.h). Errors: InvalidInput, with the byte
// that does not fit or what is wrong with the part.
Result<Part> decodePart(std::span<const uint8_t> bytes);

} // namespace dovetail
