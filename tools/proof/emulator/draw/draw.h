// SPDX-License-Identifier: MIT
//
// The fixed function around the programs: from a draw command to pixels in targets.
#pragma once

#include "src/base/error.h"
#include "tools/proof/emulator/draw/command/draw_command.h"

namespace dovetail::emulator {

// Draws. Errors: CheckFailed with the text of the first trap; Unsupported for a topology or target that is not
// modelled; those of Targets::make(). Only colors, depth and stencil of the result are filled in.
Result<SceneResult> draw(Gpu &gpu, const Draw &command);

// Runs all workgroups, one after the other. Errors: CheckFailed with the text of the first trap.
Result<void> dispatch(Gpu &gpu, const Dispatch &command);

} // namespace dovetail::emulator
