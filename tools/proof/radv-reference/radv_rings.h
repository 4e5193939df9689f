// SPDX-License-Identifier: MIT
//
// RADV's table of rings: through these a draw's stages hand over, and fragment shaders find where samples lie.
#pragma once

#include "tools/proof/emulator/draw/command/draw_command.h"
#include "tools/proof/scene/scene.h"

namespace dovetail {

// Maps the table and what it points to, as large as `registers` (RADV's for the draw) and the scene need, programs the
// registers that say where it is, and returns its address. scratchOfWave: bytes. Errors: Unsupported for a draw of more
// groups of patches than the off-chip buffer can have blocks.
Result<uint64_t> makeRadvRings(emulator::Gpu &gpu, const Scene &scene, uint64_t scratchOfWave,
                               emulator::HardwareRegisters &registers);

} // namespace dovetail
