// SPDX-License-Identifier: MIT
//
// lavapipe has 128 bytes of push constants, the hardware as many as a table in memory holds. What is more than that
// reaches lavapipe in a uniform buffer.
#pragma once

#include "tools/proof/scene/scene.h"

namespace dovetail {

// Mesa 22.3: lvp_private.h, MAX_PUSH_CONSTANTS_SIZE.
constexpr size_t ReferencePushConstantBytes = 128;

// If the scene has more push constants than lavapipe, they become one more buffer behind all others, and its shaders
// read them there.
Scene withPushConstantsInBuffer(Scene scene);

} // namespace dovetail
