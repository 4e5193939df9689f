// SPDX-License-Identifier: MIT
#pragma once

#include "src/spirv/reflect/value_flow.h"
#include <unordered_set>

namespace dovetail::spirv {

// The input variables that a vertex shader's position is computed from, in an entry function and in the functions that
// it calls. Values are followed through variables, whichever path stores them. Conditions are not followed: they choose
// between values, but are no part of them.
std::unordered_set<uint32_t> findPositionInputs(const ValueFlow &flow);

} // namespace dovetail::spirv
