// SPDX-License-Identifier: MIT
//
// Makes up everything that shaders read (vertices, uniforms, textures, samplers) from reflection and a seed. The same
// shaders, state and seed give the same scene on every machine.
#pragma once

#include "src/base/error.h"
#include "tools/proof/scene/scene.h"
#include "variants/shader.h"

namespace dovetail {

struct SceneOptions {
  uint64_t seed = 1;
  uint32_t width = 64, height = 64;
  bool randomFixedFunction = false; // chooseFixedFunction()
};

// Chooses data so that pictures can be compared: positions cover most of the framebuffer, matrices are near identity,
// floats are moderate, integers small. Errors: Unsupported, naming the resource that cannot be made.
Result<Scene> makeScene(const ShaderSet &shaders, const PipelineState &state, const SceneOptions &options);

// Chooses a state by the seed: vertex formats, bindings, strides, divisors, colour formats, write masks and blending.
// These shaders can have all of them, and both the emulator and the reference can draw them.
PipelineState randomState(const ShaderSet &shaders, uint64_t seed);

// Chooses, by the scene's seed, states on which no code depends: contents of the targets before the draw, stencil
// tests, depth bias, polygon modes, lines, logic operations, and the range of depth. Each of them stays as it is in
// most scenes.
void chooseFixedFunction(const ShaderSet &shaders, Scene &scene);

} // namespace dovetail
