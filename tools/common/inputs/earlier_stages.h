// SPDX-License-Identifier: MIT
//
// A company for shaders that come without those in front of them.
#pragma once

#include "variants/shader.h"
#include <vector>

namespace dovetail {

// Adds the stages in front of the rasteriser that a pipeline with these shaders needs and lacks: a vertex shader, and
// the other one of two tessellation shaders, unless it is a control shader that OpenGL does without. What is added
// writes a position and everything that the next stage reads, with values that change smoothly over the picture. The
// vertex shader reads a position at location 0 and, for integers, numbers at location 1. A control shader hands on what
// comes from the vertices; an evaluation shader interpolates what the control shader writes. Errors: those of
// createShader().
Result<void> addEarlierStages(std::vector<ShaderRef> &shaders);

} // namespace dovetail
