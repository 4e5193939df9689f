// SPDX-License-Identifier: MIT
//
// What a thread's requests for parts came to, so that a bind which took long can say why. Parts that were there already
// are not counted: looking them up is what is quick.
#pragma once

#include "parts/part.h"
#include <cstdint>

namespace dovetail {

struct PartTally {
  uint32_t compiled = 0, encoded = 0; // made by this thread
  uint32_t stored = 0;                // read from the store
  uint32_t waited = 0;                // made by another thread meanwhile
  // The one that took longest of those that were made or read.
  PartKind longestKind = {};
  double longestMicroseconds = 0;

  void add(PartKind kind, bool isStored, double microseconds) {
    ++(isStored ? stored : makingOf(kind) == PartMaking::Compiled ? compiled : encoded);
    if (microseconds < longestMicroseconds)
      return;
    longestKind = kind;
    longestMicroseconds = microseconds;
  }
  PartTally &operator+=(const PartTally &other) {
    compiled += other.compiled;
    encoded += other.encoded;
    stored += other.stored;
    waited += other.waited;
    if (other.longestMicroseconds > longestMicroseconds) {
      longestKind = other.longestKind;
      longestMicroseconds = other.longestMicroseconds;
    }
    return *this;
  }
};

// Of this thread. Whoever wants to know what something costs sets it to {} before.
inline thread_local PartTally partTally;

} // namespace dovetail
