// SPDX-License-Identifier: MIT
#pragma once

#include "tools/proof/emulator/numerics/rounding_noise.h"
#include <cstdint>

namespace dovetail::emulator {

// Deliberate changes of a draw, to show on what a picture depends. Seeds; 0: no change.
struct Variation {
  uint64_t roundingNoise = 0;    // alu/rounding_noise.h
  uint64_t undefinedChoices = 0; // wave/undefined_choices.h
  uint8_t noiseSources = AllNoise;
  // By how many ulps the results of v_rcp_f32 and v_rcp_iflag_f32 are larger than usual. All results have the same
  // error. So code that is right at both ends of a range, and monotonic in the error, is right for all errors in
  // between.
  int reciprocalUlps = 0;
};

} // namespace dovetail::emulator
