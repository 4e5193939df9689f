// SPDX-License-Identifier: MIT
//
// Where rounding noise alone explains every texel that differs, but moves more of them than may be unstable, a picture
// proves little. Then the case is drawn with softened constants (tools/common/inputs/spirv/soften_constants.h) on both
// sides.
#pragma once

#include "tools/common/pipelines/draw_case.h"
#include <optional>

namespace dovetail {

// Whether nothing but the number of unstable texels is wrong.
bool isChaos(const Comparison &comparison);

// The case with such shaders; none if they have no constants to soften. Errors: those of createShader().
Result<std::optional<DrawCase>> softenedTwin(const DrawCase &drawCase);

} // namespace dovetail
