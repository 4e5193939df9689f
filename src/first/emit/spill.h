// SPDX-License-Identifier: MIT
//
// Between selection and places, if there are too few registers: values that are alive where there are too many live in
// memory, and in a register only where an instruction defines or reads them.
//
// SGPRs go to lanes of VGPRs of the whole wave, by v_writelane_b32 and v_readlane_b32, which do not care for EXEC.
// VGPRs go to the lanes' scratch memory. A lane that does not run stores and loads nothing, as it has nothing to do
// with the register either.
#pragma once

#include "src/first/form/machine.h"

namespace dovetail::first {

struct RegisterLimits {
  unsigned sgprs = 0, vgprs = 0;
};

// Stores of registers that are spilled.
struct Spills {
  uint32_t sgprs = 0, vgprs = 0;
};

// Rewrites the machine so that at most so many registers are alive at a time, as far as that is possible. Of those that
// are alive where there are too many, it takes the ones that are mentioned last. It leaves a machine alone that would
// need more than MaxScratchBytes.
Spills spillRegisters(Program &program, Machine &machine, RegisterLimits limits);

} // namespace dovetail::first
