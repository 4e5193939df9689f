// SPDX-License-Identifier: MIT
//
// Which registers a piece of code touches. SGPRs with numbers and the special ones are allocated together, the special
// ones last, so that parts that share an allocation need the most of the one plus the most of the other.
#pragma once

#include "src/isa/instruction.h"
#include <cstdint>
#include <span>

namespace dovetail::isa {

struct RegisterUse {
  uint16_t numberedSgprs = 0; // one past the highest SGPR that is read or written by its number
  uint16_t specialSgprs = 0;  // 2: VCC, 4: also XNACK_MASK, 6: also FLAT_SCRATCH
  uint16_t vgprs = 0;         // one past the highest
};

RegisterUse registersUsed(std::span<const Instruction> instructions);

} // namespace dovetail::isa
