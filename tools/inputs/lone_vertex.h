// SPDX-License-Identifier: MIT
//
// A company for vertex, tessellation and geometry shaders that come without a fragment shader.
#pragma once

#include "variants/shader.h"
#include <vector>

namespace dovetail {

// If there is no fragment shader, adds one that writes the mean of all that the last shader hands on, four components
// at a time, to colour 0, so that a picture shows it. Compute shaders are left alone. Errors: those of createShader().
Result<void> accompanyLoneVertexShader(std::vector<ShaderRef> &shaders);

} // namespace dovetail
