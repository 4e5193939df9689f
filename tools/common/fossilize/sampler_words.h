// SPDX-License-Identifier: MIT
//
// Samplers of captures as the hardware has them, and as scenes have them.
#pragma once

#include "tools/common/fossilize/objects.h"
#include "tools/proof/scene/scene.h"
#include <array>

namespace dovetail::fossilize {

// As far as scenes have it: without anisotropy, reductions and border colours of the application's.
SceneSampler toSceneSampler(const Sampler &sampler);

// The descriptor: the scene's sampler, with anisotropy.
std::array<uint32_t, 4> samplerWords(const Sampler &sampler);

} // namespace dovetail::fossilize
