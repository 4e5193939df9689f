// SPDX-License-Identifier: MIT
//
// What the rows of the scalar families (opcodes/sop*.def, smem.def, exp.def) are written with.
#pragma once

#include "tests/emulator/wave.h"

namespace dovetail::emulator::scalar_ops {

// Program flow and messages.
void endProgram(Wave &wave);
void branchIf(Wave &wave, const Instruction &instruction, bool condition);
void waitForCounters(Wave &wave, uint16_t simm16);
void sendMessage(Wave &wave, uint16_t simm16);

// VGPR indexing: M0[7:0] is added to the numbers of the VGPR operands that M0[15:12] selects, while MODE says so.
constexpr uint32_t GprIndexEnable = 1u << 27; // of MODE
void setGprIndex(Wave &wave, uint32_t index);
void setGprIndexMode(Wave &wave, uint32_t mode);

// Exports.
void exportData(Wave &wave, const Instruction &instruction);

} // namespace dovetail::emulator::scalar_ops
