// SPDX-License-Identifier: MIT
//
// Writes an image's registers as a driver does that emits packets: run by run, and without the user data.
#pragma once

#include "merge/image.h"
#include "src/base/error.h"
#include "tools/proof/emulator/draw/command/draw_command.h"

namespace dovetail {

// Over what the registers hold. Errors: CheckFailed if the image sets bits that are the driver's alone
// (registerMasks()), or a register that no image has.
Result<void> writeRegistersOf(const Image &image, emulator::Generation generation,
                              emulator::HardwareRegisters &registers);

} // namespace dovetail
