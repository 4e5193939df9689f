// SPDX-License-Identifier: MIT
//
// Blending: one colour of a shader with what is in the target.
#pragma once

#include "src/state/pipeline_state.h"
#include "tools/proof/scene/texel.h"

namespace dovetail::emulator {

using ColorValue = std::array<float, 4>;

// Values as floats. `second` is the second source of dual-source blending. For normalised targets the inputs are
// clamped to what the target can hold. Unsigned normalised targets are blended in steps, as the reference does it:
// Vulkan wants no more than the target's precision, and where one drawing lies over another, other roundings would add
// up.
ColorValue blend(const ColorTarget &state, const TexelLayout &layout, const ColorValue &source,
                 const ColorValue &second, const ColorValue &destination, const ColorValue &constants);

// Whether any factor reads the second source.
bool readsSecondSource(const ColorTarget &state);

} // namespace dovetail::emulator
