// SPDX-License-Identifier: MIT
//
// 128-bit hashing, field by field, so that padding and unused fields never reach a key.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace dovetail {

struct Hash128 {
  uint64_t high = 0;
  uint64_t low = 0;

  auto operator<=>(const Hash128 &) const = default;
  // 32 lower-case hexadecimal digits.
  std::string toHex() const;
};

// A streaming XXH3-128 hash. Not thread-safe; cheap to create on the stack of a draw thread.
class Hasher {
public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher &) = delete;
  Hasher &operator=(const Hasher &) = delete;

  // Adds one scalar or enum field.
  template <typename T>
  requires(std::is_integral_v<T> || std::is_enum_v<T> || std::is_floating_point_v<T>) Hasher &add(T value) {
    return addBytes(std::as_bytes(std::span(&value, 1)));
  }
  // Adds the length, then the bytes, so that neighbouring strings cannot be confused.
  Hasher &add(std::string_view text);
  Hasher &add(const Hash128 &hash);
  Hasher &addBytes(std::span<const std::byte> bytes);

  Hash128 finish() const;

private:
  struct State;
  alignas(64) std::byte m_state[576];
};

// The hash of one run of bytes.
Hash128 hashBytes(std::span<const std::byte> bytes);

} // namespace dovetail

template <> struct std::hash<dovetail::Hash128> {
  size_t operator()(const dovetail::Hash128 &hash) const noexcept { return hash.low; }
};
