// SPDX-License-Identifier: MIT
//
// Counts a thread's requests for parts, so that a bind that took long can say why. Parts that were in the cache are not
// counted, because finding them is quick.
#pragma once

#include "parts/part.h"
#include <cstdint>

namespace dovetail {

struct PartTally {
  uint32_t compiled = 0, encoded = 0; // made by this thread
  uint32_t stored = 0;                // read from the driver's cache or the store
  uint32_t waited = 0;                // made by another thread meanwhile
  // The part that took longest of those that were made or read.
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

// The tally of this thread. To measure something, set it to {} before.
inline thread_local PartTally partTally;

} // namespace dovetail
