// SPDX-License-Identifier: MIT
#define XXH_INLINE_ALL
#include "src/base/hash.h"
#include <fmt/format.h>
#include <xxhash.h>

namespace dovetail {

struct Hasher::State : XXH3_state_t {};

std::string Hash128::toHex() const {
  return fmt::format("{:016x}{:016x}", high, low);
}

static Hash128 fromXxh(XXH128_hash_t hash) {
  return {hash.high64, hash.low64};
}

Hasher::Hasher() {
  static_assert(sizeof(State) <= sizeof(m_state) && alignof(State) <= 64);
  XXH3_128bits_reset(new (m_state) State);
}

Hasher::~Hasher() = default;

Hasher &Hasher::add(std::string_view text) {
  add(text.size());
  return addBytes(std::as_bytes(std::span(text)));
}

Hasher &Hasher::add(const Hash128 &hash) {
  return add(hash.high).add(hash.low);
}

Hasher &Hasher::addBytes(std::span<const std::byte> bytes) {
  XXH3_128bits_update(reinterpret_cast<State *>(m_state), bytes.data(), bytes.size());
  return *this;
}

Hash128 Hasher::finish() const {
  return fromXxh(XXH3_128bits_digest(reinterpret_cast<const State *>(m_state)));
}

Hash128 hashBytes(std::span<const std::byte> bytes) {
  return fromXxh(XXH3_128bits(bytes.data(), bytes.size()));
}

} // namespace dovetail
