// SPDX-License-Identifier: MIT
//
// Draws a scene with RADV's machine code in the emulator. This is RADV's side of a draw, with its descriptor layouts
// and tables.
#pragma once

#include "tools/proof/emulator/run/run.h"
#include "tools/proof/radv/radv_pipelines.h"
#include "tools/proof/scene/scene.h"

namespace dovetail {

struct RadvDrawing {
  SceneResult result;
  uint64_t instructions = 0; // executed by waves
};

// `pipeline`: RADV's result for these shaders and the scene's state, for a GPU like `chip`. Errors: CheckFailed with
// the text of a trap; Unsupported for features that are not modelled.
Result<RadvDrawing> drawWithRadv(const RadvPipeline &pipeline, const emulator::Chip &chip, const Scene &scene,
                                 const ShaderSet &shaders, const emulator::Variation &variation = {});

} // namespace dovetail
