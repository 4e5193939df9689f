// SPDX-License-Identifier: MIT
//
// Acts as the driver of a draw. Puts a scene's data and a finished image into the emulator's memory, writes descriptors
// and tables, sets user data as the image's user-data map says, and runs the draw.
#pragma once

#include "merge/image.h"
#include "tools/proof/emulator/run/run.h"
#include "tools/proof/scene/scene.h"
#include "variants/shader.h"

namespace dovetail {

struct EmulationStatistics {
  uint64_t waves = 0, instructions = 0;
  double seconds = 0; // CPU time of the thread
  emulator::UndefinedEvents undefinedEvents = {};
};

// before: the targets' present content; nullptr: they are cleared as the scene says. Errors: CheckFailed with the text
// of a trap; Unsupported for features that the emulator does not model; StateMismatch if the scene lacks a resource of
// the shaders' root table, or if `before` has other targets.
Result<SceneResult> emulate(const Scene &scene, const ShaderSet &shaders, const Image &image,
                            EmulationStatistics *statistics = nullptr, const emulator::Variation &variation = {},
                            const SceneResult *before = nullptr);

} // namespace dovetail
