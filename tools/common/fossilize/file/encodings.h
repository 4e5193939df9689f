// SPDX-License-Identifier: MIT
//
// The encodings of databases other than JSON: SPIR-V as numbers of 1 to 5 bytes, data of specialisation constants in
// base64.
#pragma once

#include "src/base/error.h"
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail::fossilize {

// A word is written in groups of 7 bits, the lowest first; all but the last byte have bit 7 set.
std::vector<uint8_t> encodeVarint(std::span<const uint32_t> words);
// Nothing unless the bytes are exactly so many words.
std::optional<std::vector<uint32_t>> decodeVarint(std::span<const uint8_t> bytes, size_t wordCount);

std::string encodeBase64(std::span<const uint8_t> bytes);
// Errors: InvalidInput, with the reason.
Result<std::vector<uint8_t>> decodeBase64(std::string_view text);

} // namespace dovetail::fossilize
