// SPDX-License-Identifier: MIT
//
// Instructions as assembly text, as LLVM prints them. The address of an image instruction is its first register only:
// how many follow is not encoded, and LLVM's own choice says nothing.
#pragma once

#include "tools/proof/emulator/isa/instruction.h"
#include <string>

namespace dovetail::emulator {

// The opcode must not be null.
std::string print(const Instruction &instruction);

// "s[4:7]", "vcc_lo", "v3", "0.5", "src_scc": an operand of so many dwords. A literal's value is `literal`.
std::string printOperand(unsigned number, unsigned dwords, uint32_t literal = 0);

} // namespace dovetail::emulator
