// SPDX-License-Identifier: MIT
//
// Makes vertices, indices and instances: a grid over the framebuffer, drawn with the state's topology, whose attributes
// change smoothly.
#pragma once

#include "src/base/error.h"
#include "tools/proof/scene/maker/index_limits.h"
#include "tools/proof/scene/scene.h"
#include "variants/shader.h"

namespace dovetail {

// Fills in the geometry of a scene that has its state and framebuffer size. Errors: Unsupported for a topology or a
// vertex format that cannot be made up; StateMismatch if an attribute's binding is missing.
Result<void> makeGeometry(const ShaderSet &shaders, const IndexLimits &limits, Scene &scene);

// The index of the vertex shader's input that becomes the position; -1: none.
int findPositionInput(const spirv::Reflection &vertex);

// Whether an input is the position, or another element of the same array.
bool isPositionInput(const spirv::Reflection &vertex, size_t index);

// The matrix column that an input is, by its place among inputs of the same name; -1: its name is not that of a matrix.
int matrixColumnOf(const spirv::Reflection &vertex, size_t index);

} // namespace dovetail
