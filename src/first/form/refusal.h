// SPDX-License-Identifier: MIT
//
// First code takes what most shaders are made of. What it does not take is refused, with a reason; LLVM makes such a
// part at once, as it makes all others later.
#pragma once

#include <cstdint>
#include <string>

namespace dovetail::first {

struct Refusal {
  std::string reason; // what was met: "llvm.amdgcn.strict.wwm", "a divergent descriptor"
};

} // namespace dovetail::first
