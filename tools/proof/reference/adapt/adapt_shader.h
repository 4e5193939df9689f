// SPDX-License-Identifier: MIT
//
// What lavapipe gets wrong or takes otherwise in a shader, written in a way that it gets right and that means the same
// (docs/lavapipe.md). The other side draws with the shader as it is.
#pragma once

#include "tools/proof/scene/scene.h"
#include <cstdint>
#include <vector>

namespace dovetail {

// Directions into cubes become unit vectors where the LOD is implicit, and an index into an array of images or samplers
// that is no constant chooses between constant ones. A least LOD of an instruction becomes an explicit LOD (min_lod.h).
// A depth is clamped (clamp_depth.h).
// `words` is valid SPIR-V; what is not understood stays.
std::vector<uint32_t> adaptShader(std::vector<uint32_t> words);

// A scene with all of its shaders adapted.
Scene adaptShaders(Scene scene);

} // namespace dovetail
