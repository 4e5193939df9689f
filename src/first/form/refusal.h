// SPDX-License-Identifier: MIT
//
// First code takes what most shaders are made of. What it does not take is refused, with a reason; LLVM makes such a
// part at once, as it makes all others later.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dovetail::first {

struct Refusal {
  std::string reason; // what was met: "llvm.amdgcn.strict.wwm", "too few VGPRs"
};

// A step broke a rule of the next one: first code itself is at fault. Tests and random-programs let no such refusal
// pass.
constexpr std::string_view FaultPrefix = "a fault of first code: ";
inline std::string faultOf(std::string_view rule) {
  return std::string(FaultPrefix).append(rule);
}
inline bool isFault(std::string_view reason) {
  return reason.starts_with(FaultPrefix);
}

} // namespace dovetail::first
