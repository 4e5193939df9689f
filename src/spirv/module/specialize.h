// SPDX-License-Identifier: MIT
#pragma once

#include "src/base/error.h"
#include <cstdint>
#include <span>
#include <vector>

namespace dovetail::spirv {

// The value of a specialisation constant: the low bits of `value`, as many as the constant's type has. A bool is true
// unless they are 0.
struct SpecConstant {
  uint32_t id = 0; // SpecId
  uint64_t value = 0;
};

// A copy of a module in which these values are the defaults of its specialisation constants. Readers of defaults, such
// as reflect(), then find the sizes of arrays and workgroups that the shader is compiled with. Ids that the module does
// not have are ignored. Errors: those of parseModule(). The words must be valid.
Result<std::vector<uint32_t>> specialize(std::span<const uint32_t> words, std::span<const SpecConstant> constants);

} // namespace dovetail::spirv
