// SPDX-License-Identifier: MIT
#pragma once

#include "src/base/error.h"
#include "src/spirv/module/spec_constant.h"
#include <span>
#include <vector>

namespace dovetail::spirv {

// A copy of a module whose specialisation constants have these values as their defaults, so that what reads defaults
// only, as reflect() does, finds the sizes of arrays and workgroups that the shader is compiled with. Ids that the
// module does not have are ignored. Errors: those of parseModule(); the words are taken to be valid.
Result<std::vector<uint32_t>> specialize(std::span<const uint32_t> words, std::span<const SpecConstant> constants);

} // namespace dovetail::spirv
