// SPDX-License-Identifier: MIT
//
// A pointer that the caller gave to a program or a state, and that publications hand back. It is part of what a bind is
// recognised by, so that each object of the caller's is told of what is published for it, although equal ones share
// their variants.
#pragma once

#include "src/base/hash.h"

namespace dovetail {

// Those of the program and the state that a slot is for.
struct SlotUsers {
  void *program = nullptr, *state = nullptr;

  bool operator==(const SlotUsers &) const = default;
};

// A hash of both. Without a pointer, the hash as it is.
inline Hash128 withUser(const Hash128 &hash, const void *user) {
  if (!user)
    return hash;
  Hasher hasher;
  hasher.add(hash).add(reinterpret_cast<uintptr_t>(user));
  return hasher.finish();
}

} // namespace dovetail
