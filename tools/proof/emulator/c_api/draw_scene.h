// SPDX-License-Identifier: MIT
//
// Makes a scene of a C draw or dispatch, without its memory (scene_memory.h). This code or checkDrawData() checks
// everything that comes from the caller.
#pragma once

#include "tools/proof/emulator/c_api/dovetail_emulator.h"
#include "tools/proof/scene/scene.h"
#include "variants/c_api/convert/failure.h"

namespace dovetail::emulator_library {

// Makes a scene with the state, the vertices and the fixed-function state of a draw, but without a framebuffer.
c_api::Outcome<Scene> sceneOf(const dovetail_emulator_draw_description &draw);

} // namespace dovetail::emulator_library
