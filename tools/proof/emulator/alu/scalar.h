// SPDX-License-Identifier: MIT
//
// Functions that the rows of the scalar families (opcodes/sop*.def, smem.def, exp.def) call.
#pragma once

#include "tools/proof/emulator/wave/wave.h"

namespace dovetail::emulator::scalar_ops {

// Program flow and messages.
void endProgram(Wave &wave);
void branchIf(Wave &wave, const Instruction &instruction, bool condition);
void waitForCounters(Wave &wave, uint16_t simm16);
void waitForCounter(Wave &wave, const Instruction &instruction, Counter counter); // at most SIMM16 plus SDST
void waitForAll(Wave &wave);
void sendMessage(Wave &wave, uint16_t simm16);

// VGPR indexing: while MODE has this bit, M0[7:0] is added to the numbers of the VGPR operands that M0[15:12] selects.
constexpr uint32_t GprIndexEnable = 1u << 27; // in MODE
void setGprIndexOn(Wave &wave, uint32_t index, uint32_t mode);
void setGprIndex(Wave &wave, uint32_t index);
void setGprIndexMode(Wave &wave, uint32_t mode);

// s_getreg and s_setreg. SIMM16: [5:0] the register, [10:6] the field's first bit, [15:11] its size - 1.
uint32_t readHardwareField(Wave &wave, uint16_t simm16);
void writeHardwareField(Wave &wave, uint16_t simm16, uint32_t value);

// Scalar memory.
void load(Wave &wave, const Instruction &instruction, unsigned dwords);
void store(Wave &wave, const Instruction &instruction, unsigned dwords);
void bufferLoad(Wave &wave, const Instruction &instruction, unsigned dwords);
void bufferStore(Wave &wave, const Instruction &instruction, unsigned dwords);
void readTime(Wave &wave, const Instruction &instruction);

// Exports.
void exportData(Wave &wave, const Instruction &instruction);

} // namespace dovetail::emulator::scalar_ops
