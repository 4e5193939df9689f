// SPDX-License-Identifier: MIT
//
// A draw or dispatch of C as a scene, without its memory (scene_memory.h). Everything that comes from the caller is
// checked here or by checkDrawData().
#pragma once

#include "tools/proof/emulator/c_api/dovetail_emulator.h"
#include "tools/proof/scene/scene.h"
#include "variants/c_api/convert/failure.h"

namespace dovetail::emulator_library {

// A scene with the state, the vertices and the fixed function of a draw; the framebuffer is missing.
c_api::Outcome<Scene> sceneOf(const dovetail_emulator_draw_description &draw);

} // namespace dovetail::emulator_library
