// SPDX-License-Identifier: MIT
//
// What blending leaves to see of a colour, estimated for a moderate destination and moderate constants: good enough to
// tell states that keep the destination from those that do not.
#pragma once

#include "src/state/pipeline_state.h"
#include <array>

namespace dovetail {

using BlendColor = std::array<float, 4>;

// Whether one of the components in `components` differs from the cleared target behind the blending of `source`.
// Without alpha in its format, a target's alpha is 1.
bool blendingShows(const ColorTarget &target, const BlendColor &source, uint32_t components, bool hasAlpha);

} // namespace dovetail
