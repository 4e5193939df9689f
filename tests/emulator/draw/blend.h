// SPDX-License-Identifier: MIT
//
// Blending: one colour of a shader with what is in the target.
#pragma once

#include "src/state/pipeline_state.h"
#include "tests/scene/texel.h"

namespace dovetail::emulator {

using ColorValue = std::array<float, 4>;

// Values as floats. `second` is the second source of dual-source blending. For normalised targets the inputs are
// clamped to what the target can hold.
ColorValue blend(const ColorTarget &state, TexelNumeric numeric, const ColorValue &source, const ColorValue &second,
                 const ColorValue &destination, const ColorValue &constants);

// Whether any factor reads the second source.
bool readsSecondSource(const ColorTarget &state);

} // namespace dovetail::emulator
