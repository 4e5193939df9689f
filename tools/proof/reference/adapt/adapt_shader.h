// SPDX-License-Identifier: MIT
//
// Rewrites constructs of a shader that lavapipe gets wrong or takes in another way, into constructs with the same
// meaning that it gets right (docs/lavapipe.md). The other side draws with the unchanged shader.
#pragma once

#include "tools/proof/scene/scene.h"
#include <cstdint>
#include <vector>

namespace dovetail {

// Makes these changes:
// - Directions into cubes become unit vectors where the LOD is implicit.
// - An index that is not constant, into an array of images or samplers, chooses between constant indices.
// - An instruction's least LOD becomes an explicit LOD (min_lod.h).
// - A depth is clamped (clamp_depth.h).
//
// `words` must be valid SPIR-V. Parts that are not understood stay.
std::vector<uint32_t> adaptShader(std::vector<uint32_t> words);

// A scene with all of its shaders adapted.
Scene adaptShaders(Scene scene);

} // namespace dovetail
