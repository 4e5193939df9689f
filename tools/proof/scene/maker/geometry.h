// SPDX-License-Identifier: MIT
//
// Vertices, indices and instances: a grid over the framebuffer, drawn with the state's topology, and attributes that
// change smoothly over it.
#pragma once

#include "src/base/error.h"
#include "tools/proof/scene/maker/index_limits.h"
#include "tools/proof/scene/scene.h"
#include "variants/shader.h"

namespace dovetail {

// Fills in the geometry of the scene, whose state and framebuffer size are there. Errors: Unsupported for a topology or
// a vertex format that nothing here makes; StateMismatch if an attribute's binding is missing.
Result<void> makeGeometry(const ShaderSet &shaders, const IndexLimits &limits, Scene &scene);

// The place among the vertex shader's inputs of the one that becomes the position; -1: there is none.
int findPositionInput(const spirv::Reflection &vertex);

// Whether an input is that one, or another element of the same array.
bool isPositionInput(const spirv::Reflection &vertex, size_t index);

// Which column of a matrix an input is, by its place among inputs of the same name; -1: not of a matrix, by its name.
int matrixColumnOf(const spirv::Reflection &vertex, size_t index);

} // namespace dovetail
