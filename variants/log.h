// SPDX-License-Identifier: MIT
//
// A device's messages, and how important they are.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace dovetail {

// The numbers are those of C's dovetail_log_level, where warnings come first.
enum class LogLevel : uint8_t {
  Warning, // something was turned off or given up: the store, a build in the background
  Error,   // draws are left out: what they need could not be built in the background
  Info,    // messages that come once for a device or an optimised variant
  Debug,   // each compile
};

// Whether a listener that asked for `wanted` gets messages of `level`.
constexpr bool isTold(LogLevel level, LogLevel wanted) {
  constexpr auto rank = [](LogLevel each) { return each == LogLevel::Error ? 0 : int(each) + 1; };
  return rank(level) <= rank(wanted);
}

using Log = std::function<void(LogLevel, std::string_view)>;

} // namespace dovetail
