// SPDX-License-Identifier: MIT
//
// How long instructions keep a SIMD busy, as far as that follows from the instruction alone.
#pragma once

#include "src/isa/instruction.h"

namespace dovetail::isa {

// Cycles in which the SIMD issues this instruction for one wave: 4 for most, as a wave of 64 lanes passes through 16
// lanes at a time and no wave issues more often; more for vector instructions at a lower rate, exports, and s_nop. What
// is waited for (memory, other waves) is not in it.
unsigned issueCycles(const Instruction &instruction);

} // namespace dovetail::isa
