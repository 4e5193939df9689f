// SPDX-License-Identifier: MIT
//
// Errors about valid instructions that the front end does not take. Each names the instruction and its word offset.
#pragma once

#include "src/base/error.h"
#include "src/spirv/module/module.h"
#include <string_view>

namespace dovetail::spirv {

// "OpFoo at word 123: <reason>".
[[nodiscard]] tl::unexpected<Error> unsupported(const Instruction &inst, std::string_view reason);
// "OpFoo at word 123 (capability Bar) is not supported".
[[nodiscard]] tl::unexpected<Error> unsupported(const Instruction &inst);

} // namespace dovetail::spirv
