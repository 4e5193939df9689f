// SPDX-License-Identifier: MIT
//
// A scene drawn by RADV's machine code in the emulator: RADV's side of a draw, with its descriptor layouts and tables.
#pragma once

#include "tests/radv/radv_assembly.h"
#include "tests/radv/radv_interface.h"
#include "tools/emulator/wave/run.h"
#include "tools/scene/scene.h"
#include <span>

namespace dovetail {

struct RadvDrawing {
  SceneResult result;
  std::vector<RadvCode> codes; // of the programs, in RADV's order
  uint64_t instructions = 0;   // run, by waves
};

// `executables` are what compileWithRadv() made of these shaders and the scene's state. roundingNoise: a seed, 0 for
// none (tools/emulator/alu/rounding_noise.h). Errors: those of assembleRadv() and radvInterface(); CheckFailed with the
// text of a trap; Unsupported for what these tests do not model.
Result<RadvDrawing> drawWithRadv(std::span<const RadvExecutable> executables, RadvBackend backend, const Scene &scene,
                                 const ShaderSet &shaders, uint64_t roundingNoise = 0);

} // namespace dovetail
