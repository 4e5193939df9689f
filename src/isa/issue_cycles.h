// SPDX-License-Identifier: MIT
//
// How long an instruction keeps a SIMD busy, as far as the instruction alone decides that.
#pragma once

#include "src/isa/instruction.h"

namespace dovetail::isa {

// Cycles in which the SIMD issues this instruction for one wave. Most take 4: a wave of 64 lanes passes through 16
// lanes at a time, and no wave issues more often. Vector instructions at a lower rate, exports and s_nop take more.
// Waiting (for memory, for other waves) is not included.
unsigned issueCycles(const Instruction &instruction);

} // namespace dovetail::isa
