// SPDX-License-Identifier: MIT
#pragma once

#include "tools/proof/emulator/wave/wave.h"

namespace dovetail::emulator {

// The lane that ds_swizzle_b32 reads; `pattern` is its offset field.
unsigned swizzleSource(unsigned pattern, unsigned lane);

void swizzle(Wave &wave, const Instruction &instruction);
void permute(Wave &wave, const Instruction &instruction);
void backwardPermute(Wave &wave, const Instruction &instruction);

} // namespace dovetail::emulator
