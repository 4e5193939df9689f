// SPDX-License-Identifier: MIT
//
// The opcode table. Each format family has a list of rows in opcodes/*.def, from which its array is made, with operand
// sizes and semantics. This header brings the arrays together.
//
// Sources: each list names its section of the "Vega" ISA manual. Numbers and names were compared, row by row, with
// LLVM's (a test repeats this), with the tables of Mesa's ACO (aco_opcodes.py) and with CLRadeonExtender's
// (amdasm/GCNInstructions.cpp). Meanings: CLRadeonExtender describes most instructions independently
// (doc/GcnInstrs*.md); RADV's code, which tests/radv runs, uses the instructions that compilers use.
#pragma once

#include "tools/proof/emulator/isa/instruction.h"
#include <span>

namespace dovetail::emulator {

// One array for each family, in the order of Format. vop3Opcodes() has the opcodes that only VOP3 has.
std::span<const Opcode> scalarOpcodes(); // SOP1, SOP2, SOPK, SOPC, SOPP, SMEM, EXP
std::span<const Opcode> vop1Opcodes();
std::span<const Opcode> vop2Opcodes();
std::span<const Opcode> vopcOpcodes();
std::span<const Opcode> vop3Opcodes();
std::span<const Opcode> vop3pOpcodes();
std::span<const Opcode> vintrpOpcodes();
std::span<const Opcode> dsOpcodes();
std::span<const Opcode> bufferOpcodes(); // MUBUF, MTBUF
std::span<const Opcode> flatOpcodes();   // number: the opcode's seven bits, with the segment above them
std::span<const Opcode> imageOpcodes();

// Executes the opcodes that a list of numbers refuses: traps.
void refuseOpcode(Wave &wave, const Instruction &instruction);

// nullptr if the table has no such row for this instruction set.
const Opcode *findOpcode(Format format, unsigned number, InstructionSet set);

} // namespace dovetail::emulator
