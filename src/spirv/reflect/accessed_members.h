// SPDX-License-Identifier: MIT
#pragma once

#include "src/spirv/reflect/value_flow.h"
#include <optional>
#include <set>

namespace dovetail::spirv {

// The members of a block variable that an entry function and the functions that it calls access one by one. Nothing if
// a function does anything else with the variable, because that may reach every member. GLSL declares whole blocks of
// built-ins, of which a shader uses a part.
std::optional<std::set<uint32_t>> findAccessedMembers(const ValueFlow &flow, uint32_t variable);

} // namespace dovetail::spirv
