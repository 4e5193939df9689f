// SPDX-License-Identifier: MIT
//
// What SPI_SHADER_PGM_RSRC1 and RSRC2 say about how the waves of a program start.
#pragma once

#include "tools/proof/emulator/draw/command/draw_command.h"

namespace dovetail::emulator {

// The value of a register, 0 if it is not programmed.
uint32_t registerValue(const HardwareRegisters &registers, uint32_t address);

// A setup with address, allocation, modes and user SGPRs; what the hardware adds per wave comes behind them. Errors:
// StateMismatch if RSRC2 counts other user SGPRs than the program has, or more registers than are allocated.
Result<WaveSetup> makeProgramSetup(const Gpu &gpu, WaveStage stage, const HardwareProgram &program, uint32_t rsrc1,
                                   uint32_t rsrc2);

// What a vertex program gets beside its instance id: the id divided by VGT_INSTANCE_STEP_RATE_0. What a rate of 0 does
// is not documented: then it is UndefinedValue.
uint32_t steppedInstance(const HardwareRegisters &registers, uint32_t instance);

// Errors: StateMismatch if VGPR_COMP_CNT starts an evaluation program with fewer VGPRs than any driver does, which is
// up to the number of the patch in its group (Mesa, radv_shader.c, radv_postprocess_config; LLPC,
// Gfx9ConfigBuilder.cpp).
Result<void> checkTessEvalVgprs(uint32_t vgprCompCount);

// RSRC2's SCRATCH_EN: the last system SGPR is the wave's offset into the scratch memory.
bool hasScratch(uint32_t rsrc2);

} // namespace dovetail::emulator
