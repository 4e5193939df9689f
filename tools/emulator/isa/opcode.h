// SPDX-License-Identifier: MIT
//
// The opcode table. Each format family has one list of rows in opcodes/*.def, from which its array is made, operand
// sizes and semantics included; this is where they come together.
#pragma once

#include "tools/emulator/isa/instruction.h"
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

// nullptr if the table has no such row for the generation.
const Opcode *findOpcode(Format format, unsigned number, Generation generation);

} // namespace dovetail::emulator
