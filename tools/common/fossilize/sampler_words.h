// SPDX-License-Identifier: MIT
//
// Turns captured samplers into the hardware's descriptors and into the samplers of scenes.
#pragma once

#include "tools/common/fossilize/objects.h"
#include "tools/proof/scene/scene.h"
#include <array>

namespace dovetail::fossilize {

// Takes what scenes have: no anisotropy, no reductions, no custom border colours.
SceneSampler toSceneSampler(const Sampler &sampler);

// The descriptor of the scene's sampler, with anisotropy.
std::array<uint32_t, 4> samplerWords(const Sampler &sampler);

} // namespace dovetail::fossilize
