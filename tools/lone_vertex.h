// SPDX-License-Identifier: MIT
//
// A company for vertex shaders that come alone.
#pragma once

#include "variants/shader.h"
#include <vector>

namespace dovetail {

// If a vertex shader is alone, adds a fragment shader that writes the mean of all that the vertex shader hands on, four
// components at a time, to colour 0, so that a picture shows it. Errors: those of createShader().
Result<void> accompanyLoneVertexShader(std::vector<ShaderRef> &shaders);

} // namespace dovetail
