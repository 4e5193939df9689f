// SPDX-License-Identifier: MIT
//
// The layout of a database file. All numbers are little-endian. The file begins with magic, three zeros and the
// version. Each entry has 24 hexadecimal digits of the kind, 16 of the hash, four numbers, and the payload.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace dovetail::fossilize {

constexpr std::string_view Magic = "\x81"
                                   "FOSSILIZEDB";
constexpr unsigned FileHeaderBytes = 16; // the last byte is the version

constexpr unsigned KindDigits = 24, HashDigits = 16;
constexpr unsigned EntryHeaderBytes = KindDigits + HashDigits + 16;

enum Compression : uint32_t { Stored = 1, Deflated = 2 };

// They follow the digits.
struct EntryNumbers {
  uint32_t storedBytes, compression, checksum, payloadBytes; // checksum: CRC32 of the stored payload; 0: none
};

// Greatest ratio of inflated to deflated bytes.
constexpr uint64_t MaxInflation = 1032;

} // namespace dovetail::fossilize
