// SPDX-License-Identifier: MIT
#pragma once

#include "tools/emulator/alu/rounding_noise.h"
#include <cstdint>

namespace dovetail::emulator {

// What a draw does otherwise than usual, to show what a picture depends on. Seeds, 0 for none.
struct Variation {
  uint64_t roundingNoise = 0;    // alu/rounding_noise.h
  uint64_t undefinedChoices = 0; // wave/undefined_choices.h
  uint8_t noiseSources = AllNoise;
};

} // namespace dovetail::emulator
