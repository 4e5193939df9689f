// SPDX-License-Identifier: MIT
//
// The hardware registers that RADV programs for its pipelines, as far as the emulated fixed function looks at them
// (Mesa 22.3: radv_pipeline.c, radv_shader.c's radv_postprocess_config()).
#pragma once

#include "tests/radv/radv_interface.h"
#include "tools/emulator/draw/draw.h"

namespace dovetail {

struct RadvProgram {
  const RadvExecutable *executable = nullptr;
  RadvProgramInterface interface;
  bool exportsUndefined = false; // RadvCode's
};

// Errors: Unsupported for formats and states that these tests do not have.
Result<emulator::HardwareRegisters> graphicsRegisters(const RadvProgram &vertex, const RadvProgram *pixel,
                                                      const PipelineState &state);
Result<emulator::HardwareRegisters> computeRegisters(const RadvProgram &compute);

} // namespace dovetail
