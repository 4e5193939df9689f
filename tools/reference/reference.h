// SPDX-License-Identifier: MIT
//
// The reference picture: the same scene drawn by lavapipe, Mesa's Vulkan driver for the CPU, in a process of its own
// (lavapipe-reference), which shares nothing with Dovetail but the scene's file format.
#pragma once

#include "src/base/error.h"
#include "tools/scene/scene.h"

namespace dovetail {

// Thread-safe; the process is kept for the next scene. Its program is where the build put it, or where the environment
// variable DOVETAIL_REFERENCE says. Errors: Unsupported with the program's reason if it cannot draw the scene (a
// missing feature); InvalidInput as checkScene(); Io if it is not there, crashed or did not answer in time.
Result<SceneResult> drawReference(const Scene &scene);

} // namespace dovetail
