// SPDX-License-Identifier: MIT
//
// Makes the vertex buffers of a made-up scene: one for each binding of the state that has attributes, with as many
// elements as the draw reads.
#pragma once

#include "src/base/error.h"
#include "tools/proof/scene/maker/attributes.h"
#include "tools/proof/scene/scene.h"
#include "variants/shader.h"

namespace dovetail {

// Fills in scene.vertexBuffers. In a per-vertex binding, element i is vertex i and lies at points[i]. Errors:
// StateMismatch if an attribute's binding is missing; Unsupported for a format that vertices cannot have, and for
// strides, offsets and instances that need a buffer above MaxSceneBufferBytes.
Result<void> makeVertexBuffers(const AttributeMaker &attributes, const std::vector<GridPoint> &points, Scene &scene);

// A state file may draw other vertices and instances than the made-up ones, and keep the made-up buffers. To each
// buffer that is the same in both scenes, this function adds the elements that `scene` reads and the buffer lacks.
// Their vertices lie at random places. Errors: those of makeVertexBuffers() and findIndexLimits().
Result<void> growVertexBuffers(const ShaderSet &shaders, const Scene &madeUp, Scene &scene);

} // namespace dovetail
