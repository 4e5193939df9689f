// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <spirv/unified1/spirv.hpp11>

namespace dovetail::spirv {

// From SPV_KHR_relaxed_extended_instruction, which the installed headers may not know. Only debug instructions use it.
constexpr auto OpExtInstWithForwardRefs = static_cast<spv::Op>(4433);

// What the words of an instruction are.
struct InstructionForm {
  uint16_t opcode;
  bool hasType, hasResult;
  uint8_t neededWords;  // at least so many operands; a string may be missing
  const char *operands; // i: an id; o: something else; +: the letter in front of it again and again
};

// nullptr if neither the grammar of the installed headers nor visible_module.h has the instruction, and it is not
// the one above.
const InstructionForm *findForm(spv::Op opcode);

} // namespace dovetail::spirv
