// SPDX-License-Identifier: MIT
//
// When a pipeline is bound, registers hold the values of the last pipeline. If a pipeline relies on a register that it
// does not set, it works after one pipeline and fails after another.
#pragma once

#include "tools/proof/emulator/draw/command/draw_command.h"

namespace dovetail {

// Returns garbage for every register that pipelines set. The table of registers says which these are: all but the
// driver's own (RegisterOwner::Driver), which driver/ sets for each draw. The garbage depends on `seed`.
emulator::HardwareRegisters keptRegisters(emulator::Generation generation, uint32_t seed);

} // namespace dovetail
