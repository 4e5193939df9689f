// SPDX-License-Identifier: MIT
#pragma once

#include "tools/proof/scene/scene.h"
#include "variants/shader.h"

namespace dovetail {

// Chooses, by the scene's seed, states on which no code depends: contents of the targets before the draw, stencil
// tests, depth bias, polygon modes, lines, logic operations, and the range of depth. Each of them stays as it is in
// most scenes.
void chooseFixedFunction(const ShaderSet &shaders, Scene &scene);

} // namespace dovetail
