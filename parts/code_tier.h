// SPDX-License-Identifier: MIT
//
// Who makes the code of a main part. First code (src/first) is made in a fraction of the time; LLVM's is better, and
// takes its place later. Both have the same contract and compute the same results.
#pragma once

#include <cstdint>
#include <string_view>

namespace dovetail {

enum class CodeTier : uint8_t {
  FirstCode,
  Llvm,
};

constexpr CodeTier lastOf(CodeTier) {
  return CodeTier::Llvm;
}

constexpr std::string_view toString(CodeTier tier) {
  return tier == CodeTier::FirstCode ? "first code" : "LLVM";
}

} // namespace dovetail
