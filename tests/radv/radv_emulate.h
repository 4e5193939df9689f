// SPDX-License-Identifier: MIT
//
// A scene drawn by RADV's machine code in the emulator: RADV's side of a draw, with its descriptor layouts and tables.
#pragma once

#include "tests/emulator/run.h"
#include "tests/radv/radv_assembly.h"
#include "tests/radv/radv_interface.h"
#include "tests/scene/scene.h"

namespace dovetail {

struct RadvDrawing {
  SceneResult result;
  std::vector<RadvCode> codes; // of the programs, in RADV's order
  uint64_t instructions = 0;   // run, by waves
};

// Errors: those of compileWithRadv(), assembleRadv() and radvInterface(); CheckFailed with the text of a trap;
// Unsupported for what these tests do not model.
// `executables`, if it is not nullptr, is given what RADV told of the pipeline, even when the rest fails.
Result<RadvDrawing> drawWithRadv(RadvBackend backend, const Scene &scene, const ShaderSet &shaders,
                                 std::vector<RadvExecutable> *executables = nullptr);

} // namespace dovetail
