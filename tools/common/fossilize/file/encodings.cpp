// SPDX-License-Identifier: MIT
#include "tools/common/fossilize/file/encodings.h"

namespace dovetail::fossilize {

namespace {

constexpr std::string_view Base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

} // namespace

std::vector<uint8_t> encodeVarint(std::span<const uint32_t> words) {
  std::vector<uint8_t> bytes;
  bytes.reserve(words.size() * 2);
  for (uint32_t word : words) {
    for (; word >= 0x80; word >>= 7)
      bytes.push_back(uint8_t(word | 0x80));
    bytes.push_back(uint8_t(word));
  }
  return bytes;
}

std::optional<std::vector<uint32_t>> decodeVarint(std::span<const uint8_t> bytes, size_t wordCount) {
  if (wordCount > bytes.size())
    return std::nullopt;
  std::vector<uint32_t> words;
  words.reserve(wordCount);
  uint64_t word = 0;
  unsigned shift = 0;
  for (uint8_t byte : bytes) {
    word |= uint64_t(byte & 0x7f) << shift;
    shift += 7;
    if (word > UINT32_MAX || (shift >= 35 && byte & 0x80))
      return std::nullopt;
    if (byte & 0x80)
      continue;
    words.push_back(uint32_t(word));
    word = shift = 0;
  }
  if (shift != 0 || words.size() != wordCount)
    return std::nullopt;
  return words;
}

std::string encodeBase64(std::span<const uint8_t> bytes) {
  std::string text;
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - at);
    uint32_t group = 0;
    for (size_t i = 0; i < 3; ++i)
      group = group << 8 | (i < count ? bytes[at + i] : 0);
    for (size_t i = 0; i < 4; ++i)
      text += i <= count ? Base64Digits[group >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

Result<std::vector<uint8_t>> decodeBase64(std::string_view text) {
  std::string_view digits = text;
  while (digits.ends_with('='))
    digits.remove_suffix(1);
  if (text.size() % 4 != 0 || text.size() - digits.size() > 2)
    return makeError(ErrorCode::InvalidInput, "base64 comes in groups of four characters");
  std::vector<uint8_t> bytes;
  uint32_t pending = 0;
  unsigned bits = 0;
  for (char c : digits) {
    const size_t digit = Base64Digits.find(c);
    if (digit == std::string_view::npos)
      return makeError(ErrorCode::InvalidInput, "'{}' is not base64", c);
    pending = pending << 6 | uint32_t(digit);
    bits += 6;
    if (bits < 8)
      continue;
    bits -= 8;
    bytes.push_back(uint8_t(pending >> bits));
  }
  return bytes;
}

} // namespace dovetail::fossilize
