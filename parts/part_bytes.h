// SPDX-License-Identifier: MIT
//
// A part as bytes and back, for the part store. Little-endian, field by field, without padding, so that a part has
// exactly one encoding. The encoding carries no version; the store adds one (parts/store/entry.h).
#pragma once

#include "parts/part.h"
#include "src/base/error.h"
#include <cstdint>
#include <span>
#include <vector>

namespace dovetail {

// Appends the part's encoding.
void encodePart(const Part &part, std::vector<uint8_t> &bytes);

// Any bytes are safe to decode, and a decoded part is safe to use (check_part.h). Errors: InvalidInput, with the byte
// that does not fit or the defect of the part.
Result<Part> decodePart(std::span<const uint8_t> bytes);

} // namespace dovetail
