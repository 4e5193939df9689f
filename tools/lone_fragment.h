// SPDX-License-Identifier: MIT
//
// A company for fragment shaders that come alone.
#pragma once

#include "variants/shader.h"
#include <vector>

namespace dovetail {

// A fragment program is only ever launched behind a vertex program. If there is a fragment shader and nothing before
// it, adds a vertex shader that writes a position and nothing else; the fragment shader's inputs then have the
// hardware's default value. Errors: those of createShader().
Result<void> accompanyLoneFragmentShader(std::vector<ShaderRef> &shaders);

} // namespace dovetail
