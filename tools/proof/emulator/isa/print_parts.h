// SPDX-License-Identifier: MIT
//
// Prints the formats for print.h: mnemonic with its suffix, operands, modifiers.
#pragma once

#include "tools/proof/emulator/isa/instruction.h"
#include <string>

namespace dovetail::emulator {

// "v4" or "v[4:7]"; registers have plain numbers.
std::string printVgprs(unsigned first, unsigned count);

// printOperand() of an operand of an instruction, which may be its literal.
std::string printOperand(const Instruction &instruction, unsigned number, unsigned dwords);

std::string printScalarFlow(const Instruction &instruction); // SOPK, SOPP
std::string printVector(const Instruction &instruction);     // VOP1, VOP2, VOPC, VOP3, VOP3P, VINTRP
std::string printMemory(const Instruction &instruction);     // SMEM, DS, FLAT, MUBUF, MTBUF, MIMG, EXP

} // namespace dovetail::emulator
