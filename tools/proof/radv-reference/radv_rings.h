// SPDX-License-Identifier: MIT
//
// Makes RADV's table of rings: the stages of a draw hand values over through rings, and fragment shaders find the
// sample locations in the table.
#pragma once

#include "tools/proof/emulator/draw/command/draw_command.h"
#include "tools/proof/scene/scene.h"

namespace dovetail {

// Maps the table and the rings that it points to, as large as `registers` (RADV's for the draw) and the scene need.
// Programs the registers with their places, and returns the table's address. scratchOfWave: bytes. Errors: Unsupported
// if the draw has more groups of patches than the off-chip buffer can have blocks.
Result<uint64_t> makeRadvRings(emulator::Gpu &gpu, const Scene &scene, uint64_t scratchOfWave,
                               emulator::HardwareRegisters &registers);

} // namespace dovetail
