// SPDX-License-Identifier: MIT
//
// The vertex buffers of a made-up scene: one for each binding of the state that has attributes, with as many elements
// as the draw reads.
#pragma once

#include "src/base/error.h"
#include "tools/proof/scene/maker/attributes.h"
#include "tools/proof/scene/scene.h"
#include "variants/shader.h"

namespace dovetail {

// Fills in scene.vertexBuffers. Element i of a binding that goes by vertices is vertex i, and lies at points[i].
// Errors: StateMismatch if an attribute's binding is missing; Unsupported for a format that is none of vertices, and
// for strides, offsets and instances that would need a buffer above MaxSceneBufferBytes.
Result<void> makeVertexBuffers(const AttributeMaker &attributes, const std::vector<GridPoint> &points, Scene &scene);

// A state file may draw other vertices and instances than those that were made up, and leave the buffers as they were.
// Gives each buffer that is the same in both scenes the elements that `scene` reads and that it lacks. The places of
// such vertices are random. Errors: those of makeVertexBuffers() and findIndexLimits().
Result<void> growVertexBuffers(const ShaderSet &shaders, const Scene &madeUp, Scene &scene);

} // namespace dovetail
