// SPDX-License-Identifier: MIT
//
// What a device tells of itself in sentences, by how much it matters.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace dovetail {

// The numbers are those of C's dovetail_log_level, which began with the warnings.
enum class LogLevel : uint8_t {
  Warning, // something is turned off or was given up: the store, a build in the background
  Error,   // draws are left out: what they need could not be built in the background
  Info,    // what there is one of for a device or an optimised variant
  Debug,   // each compile
};

// Whether whoever asked for `wanted` is told of `level`.
constexpr bool isTold(LogLevel level, LogLevel wanted) {
  constexpr auto rank = [](LogLevel each) { return each == LogLevel::Error ? 0 : int(each) + 1; };
  return rank(level) <= rank(wanted);
}

using Log = std::function<void(LogLevel, std::string_view)>;

} // namespace dovetail
