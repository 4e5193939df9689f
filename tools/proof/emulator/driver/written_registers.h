// SPDX-License-Identifier: MIT
//
// Writes an image's registers as a driver that emits packets does: run by run, without the user data.
#pragma once

#include "merge/image.h"
#include "src/base/error.h"
#include "tools/proof/emulator/draw/command/draw_command.h"

namespace dovetail {

// Writes over the registers' present values. Errors: CheckFailed if the image sets bits that belong to the driver
// (registerMasks()), or a register that no image has.
Result<void> writeRegistersOf(const Image &image, emulator::Generation generation,
                              emulator::HardwareRegisters &registers);

} // namespace dovetail
