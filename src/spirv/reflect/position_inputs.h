// SPDX-License-Identifier: MIT
#pragma once

#include "src/spirv/module/module.h"
#include <unordered_set>

namespace dovetail::spirv {

// The input variables that a vertex shader's position is computed from, in an entry function and all that it calls.
// Values are followed through variables whatever path stores them, but conditions are not: they decide which value
// it is, not what it is made of.
std::unordered_set<uint32_t> findPositionInputs(const Module &module, uint32_t function);

} // namespace dovetail::spirv
