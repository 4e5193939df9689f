// SPDX-License-Identifier: MIT
//
// What SPI_SHADER_PGM_RSRC1 and RSRC2 say about how the waves of a program start.
#pragma once

#include "tools/emulator/draw/draw.h"

namespace dovetail::emulator {

// The value of a register, 0 if it is not programmed.
uint32_t registerValue(const HardwareRegisters &registers, uint32_t address);

// A setup with address, allocation, modes and user SGPRs; what the hardware adds per wave comes behind them. Errors:
// StateMismatch if RSRC2 counts other user SGPRs than the program has, or more registers than are allocated.
Result<WaveSetup> makeProgramSetup(WaveStage stage, const HardwareProgram &program, uint32_t rsrc1, uint32_t rsrc2);

// RSRC2's SCRATCH_EN: the last system SGPR is the wave's offset into the scratch memory.
bool hasScratch(uint32_t rsrc2);

} // namespace dovetail::emulator
