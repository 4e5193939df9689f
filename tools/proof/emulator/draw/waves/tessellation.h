// SPDX-License-Identifier: MIT
//
// Takes a draw's patches to points, lines and triangles for the evaluation shader.
#pragma once

#include "tools/proof/emulator/draw/command/front_end.h"

namespace dovetail::emulator {

// Runs the LS and HS of all groups, reads their factors from memory, and tessellates. Errors: CheckFailed with a trap's
// text, or if factors are missing; StateMismatch if registers contradict each other or the scene.
Result<FrontDraw> tessellate(Gpu &gpu, const Draw &command);

} // namespace dovetail::emulator
