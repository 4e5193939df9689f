// SPDX-License-Identifier: MIT
//
// Sometimes rounding noise alone explains every texel that differs, but moves more texels than may be unstable. Such a
// picture is chaos and proves little. Then both sides draw the case again with softened constants
// (tools/common/inputs/spirv/soften_constants.h).
#pragma once

#include "tools/common/pipelines/draw_case.h"
#include <optional>

namespace dovetail {

// Whether the picture fails only because too many texels are unstable.
bool isChaos(const Comparison &comparison);

// The case with softened shaders; nothing if the shaders have no constants to soften. Errors: those of createShader().
Result<std::optional<DrawCase>> softenedTwin(const DrawCase &drawCase);

} // namespace dovetail
