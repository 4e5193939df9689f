// SPDX-License-Identifier: MIT
//
// Blending: combines one colour of a shader with the colour in the target.
#pragma once

#include "src/state/pipeline_state.h"
#include "tools/proof/scene/texel.h"

namespace dovetail::emulator {

using ColorValue = std::array<float, 4>;

// Values as floats. `second` is the second source of dual-source blending. For normalised targets, the inputs are
// clamped to the target's range. Unsigned normalised targets are blended in steps, as the reference does: Vulkan only
// requires the target's precision, and other roundings would add up where drawings overlap.
ColorValue blend(const ColorTarget &state, const TexelLayout &layout, const ColorValue &source,
                 const ColorValue &second, const ColorValue &destination, const ColorValue &constants);

// Whether any factor reads the second source.
bool readsSecondSource(const ColorTarget &state);

} // namespace dovetail::emulator
