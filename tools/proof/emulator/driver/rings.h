// SPDX-License-Identifier: MIT
//
// The memory through which a draw's stages hand over: ESGS and GSVS rings, tessellation factors, off-chip buffer. It is
// filled with a value that no shader means, so that what is read without having been written shows.
#pragma once

#include "merge/image.h"
#include "tools/proof/emulator/draw/command/draw_command.h"
#include "tools/proof/emulator/driver/global_table.h"
#include "tools/proof/scene/scene.h"

namespace dovetail {

// Maps what the image needs and programs the registers that say where it is. Errors: StateMismatch if a group's outputs
// do not fit into a block of the off-chip buffer; Unsupported for draws of more groups than the buffer can have blocks.
Result<std::vector<GlobalTableRow>> makeRings(emulator::Gpu &gpu, const Scene &scene, const Image &image,
                                              emulator::HardwareRegisters &registers);

} // namespace dovetail
