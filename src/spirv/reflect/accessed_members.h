// SPDX-License-Identifier: MIT
#pragma once

#include "src/spirv/module/module.h"
#include <optional>
#include <set>

namespace dovetail::spirv {

// The members of a block variable that an entry function and all that it calls access one by one; nothing if one of
// them does anything else with the variable, which may reach every member. GLSL declares blocks of built-ins that a
// shader uses in part.
std::optional<std::set<uint32_t>> findAccessedMembers(const Module &module, uint32_t function, uint32_t variable);

} // namespace dovetail::spirv
