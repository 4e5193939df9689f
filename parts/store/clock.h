// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>

namespace dovetail::store {

// The time that records hold.
inline int64_t microsecondsSince1970() {
  auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
}

} // namespace dovetail::store
