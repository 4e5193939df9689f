// SPDX-License-Identifier: MIT
//
// What registers hold when a pipeline is bound: whatever the last one left there. A pipeline that relies on a register
// which it does not set works after one pipeline and not after another.
#pragma once

#include "tools/proof/emulator/draw/command/draw_command.h"

namespace dovetail {

// Garbage in every register that pipelines set. Which those are is said by the table of registers: all but those that
// belong to the driver (RegisterOwner::Driver), which driver/ sets for each draw. Another garbage for each `seed`.
emulator::HardwareRegisters keptRegisters(emulator::Generation generation, uint32_t seed);

} // namespace dovetail
