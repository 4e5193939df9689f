// SPDX-License-Identifier: MIT
//
// How a database lies in its file. All numbers are little-endian. The file: magic, three zeros, the version; then
// entries: 24 hexadecimal digits of the kind, 16 of the hash, four numbers, the payload.
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

// Behind the digits.
struct EntryNumbers {
  uint32_t storedBytes, compression, checksum, payloadBytes; // checksum: CRC32 of the payload as it is stored; 0: none
};

// No stream of deflate holds more bytes than so many times its own.
constexpr uint64_t MaxInflation = 1032;

} // namespace dovetail::fossilize
