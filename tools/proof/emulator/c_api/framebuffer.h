// SPDX-License-Identifier: MIT
//
// The object behind C's framebuffer handle: the pictures that the last draw or clear left.
#pragma once

#include "tools/proof/emulator/c_api/dovetail_emulator.h"
#include "tools/proof/scene/scene.h"
#include "variants/c_api/convert/failure.h"

struct dovetail_emulator_framebuffer {
  // A scene without a draw: sizes, formats and the last clear values.
  dovetail::Scene shape;
  dovetail::SceneResult contents;
  bool isCleared = true; // no draw since the last clear
};

namespace dovetail::emulator_library {

// Errors: DOVETAIL_BAD_ARGUMENT, DOVETAIL_INVALID_INPUT for sizes; DOVETAIL_UNSUPPORTED for formats.
c_api::Outcome<dovetail_emulator_framebuffer>
makeFramebuffer(const dovetail_emulator_framebuffer_description *description);
c_api::Outcome<void> clear(dovetail_emulator_framebuffer &framebuffer, const dovetail_emulator_clear_values *values);
c_api::Outcome<dovetail_emulator_picture> pictureOf(const dovetail_emulator_framebuffer &framebuffer, uint32_t target);

// Puts the framebuffer into a scene. Errors: DOVETAIL_STATE_MISMATCH if the scene's state has other targets.
c_api::Outcome<void> attach(const dovetail_emulator_framebuffer &framebuffer, Scene &scene);

} // namespace dovetail::emulator_library
