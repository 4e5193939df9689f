// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace dovetail::spirv {

// The value of a specialisation constant: the low bits of `value`, as many as the constant's type has. A bool is true
// unless they are 0.
struct SpecConstant {
  uint32_t id = 0; // SpecId
  uint64_t value = 0;
};

} // namespace dovetail::spirv
