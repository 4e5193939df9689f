// SPDX-License-Identifier: MIT
//
// Adds partners to vertex, tessellation and geometry shaders that come without the stages behind them.
#pragma once

#include "variants/shader.h"
#include <vector>

namespace dovetail {

// If there is no fragment shader, adds one that writes the mean of all outputs of the last shader to colour 0, four
// components at a time, so that a picture shows them. If the vertex shader writes no position and only a fragment
// shader, or nothing, follows, adds a geometry shader that gives each triangle a cell of the picture. Compute shaders
// stay alone. Errors: those of createShader().
Result<void> addLaterStages(std::vector<ShaderRef> &shaders);

} // namespace dovetail
