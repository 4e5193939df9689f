// SPDX-License-Identifier: MIT
//
// The opcode table. Each format family has one list of rows in opcodes/*.def, from which its array is made, operand
// sizes and semantics included; this is where they come together.
//
// Sources: each list names its section of the "Vega" ISA manual. Numbers and names were compared, row by row, with
// LLVM's (which a test does again), with the tables of Mesa's ACO (aco_opcodes.py) and with CLRadeonExtender's
// (amdasm/GCNInstructions.cpp). Meanings: CLRadeonExtender describes most instructions independently
// (doc/GcnInstrs*.md); RADV's code, which tests/radv runs, uses those that compilers use.
#pragma once

#include "tools/proof/emulator/isa/instruction.h"
#include <span>

namespace dovetail::emulator {

// One array for each family, in the order of Format. VOP3-only opcodes are in vop3Opcodes().
std::span<const Opcode> scalarOpcodes(); // SOP1, SOP2, SOPK, SOPC, SOPP, SMEM, EXP
std::span<const Opcode> vop1Opcodes();
std::span<const Opcode> vop2Opcodes();
std::span<const Opcode> vopcOpcodes();
std::span<const Opcode> vop3Opcodes();
std::span<const Opcode> vop3pOpcodes();
std::span<const Opcode> vintrpOpcodes();
std::span<const Opcode> dsOpcodes();
std::span<const Opcode> bufferOpcodes(); // MUBUF, MTBUF
std::span<const Opcode> flatOpcodes();   // number: the opcode with the segment above its seven bits
std::span<const Opcode> imageOpcodes();

// nullptr if the table has no such row for the instruction set.
const Opcode *findOpcode(Format format, unsigned number, InstructionSet set);

} // namespace dovetail::emulator
