// SPDX-License-Identifier: MIT
//
// Adds partners to shaders that come without the stages in front of them.
#pragma once

#include "variants/shader.h"
#include <vector>

namespace dovetail {

// Adds the pre-rasterisation stages that a pipeline with these shaders needs and lacks: a vertex shader, and the
// missing one of two tessellation shaders. (An OpenGL evaluation shader behind a vertex shader gets no control shader:
// OpenGL does without it.) The added shaders write a position and everything that the next stage reads, with values
// that change smoothly over the picture. The vertex shader reads a position at location 0 and, for integers, numbers at
// location 1. A control shader hands on the vertices' values; an evaluation shader interpolates the control shader's
// outputs. Errors: those of createShader().
Result<void> addEarlierStages(std::vector<ShaderRef> &shaders);

} // namespace dovetail
