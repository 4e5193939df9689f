// SPDX-License-Identifier: MIT
//
// Estimates how visible a colour is after blending, for a moderate destination and moderate constants. This is good
// enough to tell states that keep the destination from those that do not.
#pragma once

#include "src/state/pipeline_state.h"
#include <array>

namespace dovetail {

using BlendColor = std::array<float, 4>;

// Whether blending `source` changes one of the components in `components` of a cleared target. If the target's format
// has no alpha, its alpha is 1.
bool blendingShows(const ColorTarget &target, const BlendColor &source, uint32_t components, bool hasAlpha);

} // namespace dovetail
