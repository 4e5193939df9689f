// SPDX-License-Identifier: MIT
#pragma once

#include "src/spirv/module/module.h"
#include <unordered_set>

namespace dovetail::spirv {

// The input variables that a vertex shader's position is computed from, in an entry function and in the functions that
// it calls. Values are followed through variables, whichever path stores them. Conditions are not followed: they choose
// between values, but are no part of them.
std::unordered_set<uint32_t> findPositionInputs(const Module &module, uint32_t function);

} // namespace dovetail::spirv
