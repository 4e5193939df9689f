// SPDX-License-Identifier: MIT
#pragma once

#include "tools/proof/emulator/numerics/rounding_noise.h"
#include "tools/proof/scene/texel.h"

namespace dovetail::emulator {

// Adds noise to a texel of a normalised format. Vulkan defines v / 255 only without rounding: lavapipe multiplies by
// the reciprocal, which is off by an ulp for some v.
inline void addConversionNoise(RoundingNoise &noise, TexelValue &value) {
  if (!noise.isOf(NoiseSource::Conversions))
    return;
  for (uint32_t &component : value)
    component = std::bit_cast<uint32_t>(noise.apply(std::bit_cast<float>(component), false));
}

} // namespace dovetail::emulator
