// SPDX-License-Identifier: MIT
//
// A company for fragment shaders that come alone.
#pragma once

#include "variants/shader.h"
#include <vector>

namespace dovetail {

// A fragment program is only ever launched behind a vertex program. If there is a fragment shader and nothing before
// it, adds a vertex shader that writes a position and every input that the fragment shader has, with values that change
// smoothly over the picture. It reads a position at location 0 and, for integers, numbers at location 1. Errors: those
// of createShader().
Result<void> accompanyLoneFragmentShader(std::vector<ShaderRef> &shaders);

} // namespace dovetail
