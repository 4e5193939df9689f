// SPDX-License-Identifier: MIT
//
// The driver's side of a draw: puts a scene's data and a finished image into the emulator's memory, writes descriptors
// and tables, sets user data as the image's user-data map says, and runs it.
#pragma once

#include "merge/image.h"
#include "tools/proof/emulator/run/run.h"
#include "tools/proof/scene/scene.h"
#include "variants/shader.h"

namespace dovetail {

struct EmulationStatistics {
  uint64_t waves = 0, instructions = 0;
  emulator::UndefinedEvents undefinedEvents = {};
};

// before: what the targets hold; nullptr: they are cleared as the scene says. Errors: CheckFailed with the text of a
// trap; Unsupported for what the emulator does not model; StateMismatch if the scene lacks a resource that the shaders'
// root table has, or if `before` are other targets.
Result<SceneResult> emulate(const Scene &scene, const ShaderSet &shaders, const Image &image,
                            EmulationStatistics *statistics = nullptr, const emulator::Variation &variation = {},
                            const SceneResult *before = nullptr);

} // namespace dovetail
