// SPDX-License-Identifier: MIT
//
// A draw's patches until they are points, lines and triangles for the evaluation shader.
#pragma once

#include "tools/proof/emulator/draw/command/front_end.h"

namespace dovetail::emulator {

// Runs the LS and HS of all groups, reads the factors that they leave in memory, and tessellates. Errors: CheckFailed
// with a trap's text, or if factors are missing; StateMismatch if registers contradict each other or the scene.
Result<FrontDraw> tessellate(Gpu &gpu, const Draw &command);

} // namespace dovetail::emulator
