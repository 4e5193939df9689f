// SPDX-License-Identifier: MIT
#pragma once

#include "tools/proof/emulator/numerics/rounding_noise.h"
#include <cstdint>

namespace dovetail::emulator {

// What a draw does otherwise than usual, to show what a picture depends on. Seeds, 0 for none.
struct Variation {
  uint64_t roundingNoise = 0;    // alu/rounding_noise.h
  uint64_t undefinedChoices = 0; // wave/undefined_choices.h
  uint8_t noiseSources = AllNoise;
  // How many ulps results of v_rcp_f32 and v_rcp_iflag_f32 are larger than usual. All are off alike, so that code which
  // is right at both ends of a range, and monotonic in them, is right for all errors in between.
  int reciprocalUlps = 0;
};

} // namespace dovetail::emulator
