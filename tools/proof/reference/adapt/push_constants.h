// SPDX-License-Identifier: MIT
//
// lavapipe has 128 bytes of push constants; the hardware has as many as a table in memory holds. If a scene has more
// than 128 bytes, lavapipe gets them in a uniform buffer.
#pragma once

#include "tools/proof/scene/scene.h"

namespace dovetail {

// Mesa 22.3: lvp_private.h, MAX_PUSH_CONSTANTS_SIZE.
constexpr size_t ReferencePushConstantBytes = 128;

// If the scene has more push constants than lavapipe, makes one more buffer of them, behind all others. The shaders
// read them there.
Scene withPushConstantsInBuffer(Scene scene);

} // namespace dovetail
