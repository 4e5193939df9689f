// SPDX-License-Identifier: MIT
#pragma once

#include "tools/emulator/isa/instruction.h"

namespace dovetail::emulator {

// Which results of an instruction a variation may change: a mask.
enum VariedResult : uint8_t {
  ConversionUse = 1 << 0, // of a float to an integer
  ReciprocalUse = 1 << 1, // of zero
  ClampUse = 1 << 2,      // source 1 is the minimum, source 2 the maximum
  LegacyUse = 1 << 3,     // of zero and what is not finite
  HalvesUse = 1 << 4,     // two halves, which other GPUs round otherwise, or not at all
};

// What Instruction::variedResults has to be; decode() asks for it once.
uint8_t variedResults(const Instruction &instruction);

} // namespace dovetail::emulator
