// SPDX-License-Identifier: MIT
//
// Prints instructions as LLVM prints them. For image instructions, it prints only the first register of the address:
// the encoding does not hold their number, and LLVM's choice means nothing.
#pragma once

#include "tools/proof/emulator/isa/instruction.h"
#include <string>

namespace dovetail::emulator {

// The opcode must not be null.
std::string print(const Instruction &instruction);

// "s[4:7]", "vcc_lo", "v3", "0.5", "src_scc": an operand of so many dwords.
std::string printOperand(unsigned number, unsigned dwords);

} // namespace dovetail::emulator
