// SPDX-License-Identifier: MIT
//
// Makes the memory through which a draw's stages hand values over: ESGS and GSVS rings, tessellation factors, off-chip
// buffer. It is filled with a value that no shader means, so that reads of unwritten memory are visible.
#pragma once

#include "merge/image.h"
#include "tools/proof/emulator/draw/command/draw_command.h"
#include "tools/proof/emulator/driver/global_table.h"
#include "tools/proof/scene/scene.h"

namespace dovetail {

// Maps the memory that the image needs, and programs the registers with its places. Errors: StateMismatch if a group's
// outputs do not fit into a block of the off-chip buffer; Unsupported for draws with more groups than the buffer can
// have blocks.
Result<std::vector<GlobalTableRow>> makeRings(emulator::Gpu &gpu, const Scene &scene, const Image &image,
                                              emulator::HardwareRegisters &registers);

} // namespace dovetail
