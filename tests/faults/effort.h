// SPDX-License-Identifier: MIT
//
// The effort of the fault tests: a short form by default, the long form if DOVETAIL_SOAK is set (tools/soak).
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

// The seed of everything random; DOVETAIL_SEED changes it.
inline uint64_t seed() {
  const char *text = std::getenv("DOVETAIL_SEED");
  return text ? std::strtoull(text, nullptr, 10) : 1;
}

} // namespace dovetail::faults
