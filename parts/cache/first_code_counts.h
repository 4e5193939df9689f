// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace dovetail {

// Main parts that were asked for as first code and that nobody had.
struct FirstCodeCounts {
  uint64_t made = 0;
  uint64_t refused = 0;                    // LLVM made these at once
  std::map<std::string, uint64_t> reasons; // of the refusals, each with their number

  void refuse(const std::string &reason, uint64_t count = 1) {
    refused += count;
    reasons[reason] += count;
  }
  FirstCodeCounts &operator+=(const FirstCodeCounts &other) {
    made += other.made;
    for (const auto &[reason, count] : other.reasons)
      refuse(reason, count);
    return *this;
  }
  // What was counted after `earlier`.
  FirstCodeCounts since(const FirstCodeCounts &earlier) const {
    FirstCodeCounts result;
    result.made = made - earlier.made;
    for (const auto &[reason, count] : reasons) {
      const auto known = earlier.reasons.find(reason);
      const uint64_t before = known == earlier.reasons.end() ? 0 : known->second;
      if (count > before)
        result.refuse(reason, count - before);
    }
    return result;
  }
};

} // namespace dovetail
