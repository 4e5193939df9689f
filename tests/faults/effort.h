// SPDX-License-Identifier: MIT
//
// How much the fault tests do: a short form by default, the long one if DOVETAIL_SOAK is set (tools/soak).
#pragma once

#include <cstdint>
#include <cstdlib>

namespace dovetail::faults {

inline bool isSoak() {
  return std::getenv("DOVETAIL_SOAK") != nullptr;
}

template <typename T> T effort(T shortForm, T longForm) {
  return isSoak() ? longForm : shortForm;
}

// Of everything random; DOVETAIL_SEED changes it.
inline uint64_t seed() {
  const char *text = std::getenv("DOVETAIL_SEED");
  return text ? std::strtoull(text, nullptr, 10) : 1;
}

} // namespace dovetail::faults
