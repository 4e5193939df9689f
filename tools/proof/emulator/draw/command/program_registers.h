// SPDX-License-Identifier: MIT
//
// Reads from SPI_SHADER_PGM_RSRC1 and RSRC2 how the waves of a program start.
#pragma once

#include "tools/proof/emulator/draw/command/draw_command.h"

namespace dovetail::emulator {

// The value of a register, or 0 if it is not programmed.
uint32_t registerValue(const HardwareRegisters &registers, uint32_t address);

// A setup with address, allocation, modes and user SGPRs; the hardware's SGPRs for each wave follow them. Errors:
// StateMismatch if RSRC2 counts other user SGPRs than the program has, or more registers than are allocated.
Result<WaveSetup> makeProgramSetup(const Gpu &gpu, WaveStage stage, const HardwareProgram &program, uint32_t rsrc1,
                                   uint32_t rsrc2);

// A vertex program also gets its instance id divided by VGT_INSTANCE_STEP_RATE_0. The effect of rate 0 is not
// documented: UndefinedValue.
uint32_t steppedInstance(const HardwareRegisters &registers, uint32_t instance);

// Errors: StateMismatch if VGPR_COMP_CNT starts an evaluation program with fewer VGPRs than any driver does. Drivers
// load them up to the number of the patch in its group (Mesa, radv_shader.c, radv_postprocess_config; LLPC,
// Gfx9ConfigBuilder.cpp).
Result<void> checkTessEvalVgprs(uint32_t vgprCompCount);

// RSRC2's SCRATCH_EN: the last system SGPR holds the wave's offset into the scratch memory.
bool hasScratch(uint32_t rsrc2);

} // namespace dovetail::emulator
