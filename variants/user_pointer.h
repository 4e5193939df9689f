// SPDX-License-Identifier: MIT
//
// A pointer that the caller gave to a program or a state, and that publications hand back. It is part of the key of a
// bind, so each object of the caller's hears of its publications, although equal objects share their variants.
#pragma once

#include "src/base/hash.h"

namespace dovetail {

// The pointers of the program and the state of a slot.
struct SlotUsers {
  void *program = nullptr, *state = nullptr;

  bool operator==(const SlotUsers &) const = default;
};

// A hash of both. Without a pointer, the hash is unchanged.
inline Hash128 withUser(const Hash128 &hash, const void *user) {
  if (!user)
    return hash;
  Hasher hasher;
  hasher.add(hash).add(reinterpret_cast<uintptr_t>(user));
  return hasher.finish();
}

} // namespace dovetail
