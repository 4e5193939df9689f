// SPDX-License-Identifier: MIT
//
// A company for vertex, tessellation and geometry shaders that come without those behind them.
#pragma once

#include "variants/shader.h"
#include <vector>

namespace dovetail {

// If there is no fragment shader, adds one that writes the mean of all that the last shader hands on, four components
// at a time, to colour 0, so that a picture shows it. Behind a vertex shader that writes no position, with nothing but
// a fragment shader or not even that, comes a geometry shader that gives each triangle a cell of the picture. Compute
// shaders are left alone. Errors: those of createShader().
Result<void> addLaterStages(std::vector<ShaderRef> &shaders);

} // namespace dovetail
